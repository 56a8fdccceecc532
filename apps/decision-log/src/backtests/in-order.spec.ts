import type { DecisionEvent } from '@sluice/events';
import { eventOf } from '../../test/store-contract/sample-events.js';
import { eventColumns } from '../store/event-columns.js';
import { inOrder } from './in-order.js';

const event = (event_id: string, at_ms: number): DecisionEvent => eventOf({ event_id, at_ms });

async function idsOf(...chunks: readonly (readonly DecisionEvent[])[]): Promise<readonly string[]> {
  async function* all(): AsyncGenerator<readonly DecisionEvent[]> {
    yield* chunks;
  }
  const ids: string[] = [];
  for await (const { producer, sequence } of inOrder(eventColumns(all(), new Set()))) sequence.forEach((number, row) => ids.push(`${producer.dictionary.textOf(producer.codes[row] ?? 0) ?? ''}:${number}`));
  return ids;
}

describe('R59 events of one ms in the order in which they were decided', () => {
  it('by number within a producer, over the edges of chunks', async () => {
    expect(await idsOf([event('p:1', 5), event('p:10', 6)], [event('p:11', 6), event('p:9', 6)], [event('p:2', 6)], [event('p:12', 7)])).toEqual(['p:1', 'p:2', 'p:9', 'p:10', 'p:11', 'p:12']);
  });

  it('by number also where the clock of the producer stepped back, at the time that it had shown before', async () => {
    expect(await idsOf([event('p:1', 5_000), event('p:3', 5_001)], [event('p:2', 5_004), event('q:1', 5_002)], [event('p:4', 9_000)])).toEqual(['p:1', 'q:1', 'p:2', 'p:3', 'p:4']);
  });

  it('producers apart, and nothing of nothing', async () => {
    expect(await idsOf([event('b:1', 5), event('a:b:2', 5), event('a:b:10', 5)])).toEqual(['a:b:2', 'a:b:10', 'b:1']);
    expect(await idsOf()).toEqual([]);
    expect(await idsOf([], [])).toEqual([]);
  });
});
