import fc from 'fast-check';
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

  it('whatever the clocks did within a second, and however they come in chunks', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.record({ producer: fc.constantFrom('a', 'b', 'c:d'), afterMs: fc.integer({ min: 0, max: 400 }), lagMs: fc.integer({ min: 0, max: 450 }) }), { maxLength: 60, size: 'max' }), fc.integer({ min: 1, max: 20 }), async (steps, size) => {
        let nowMs = 10_000;
        const events = steps.map(({ producer, afterMs, lagMs }, at) => event(`${producer}:${at}`, (nowMs += afterMs) - lagMs)).sort((a, b) => a.at_ms - b.at_ms);
        const chunks = Array.from({ length: Math.ceil(events.length / size) }, (_, at) => events.slice(at * size, (at + 1) * size));
        const ids = await idsOf(...chunks);
        expect([...ids].sort()).toEqual(events.map(({ event_id }) => event_id).sort());
        for (const producer of ['a', 'b', 'c:d']) {
          const sequences = ids.filter((id) => id.startsWith(`${producer}:`)).map((id) => Number(id.slice(producer.length + 1)));
          expect(sequences).toEqual([...sequences].sort((a, b) => a - b));
        }
        // As if all had come at once.
        expect(ids).toEqual(await idsOf(events));
      }),
      { seed: 59, numRuns: 200 },
    );
  });

  it('times never step back, however far off clocks are; within a second each producer is in its own order', async () => {
    const random = randomFrom(21);
    for (const jitterMs of [900, 1_500, 5_000]) {
      for (let round = 0; round < 60; round += 1) {
        const events = jittered(1 + Math.floor(random() * 4), jitterMs, random);
        const seen: { readonly atMs: number; readonly producer: string; readonly number: number }[] = [];
        for await (const { atMs, producer, sequence } of inOrder(eventColumns(pieces(events, random), new Set()))) {
          sequence.forEach((number, row) => seen.push({ atMs: atMs[row] ?? 0, producer: producer.dictionary.textOf(producer.codes[row] ?? 0) ?? '', number }));
        }
        expect(new Set(seen.map(({ producer, number }) => `${producer}:${number}`)).size).toBe(events.length);
        expect(seen.every(({ atMs }, at) => at === 0 || atMs >= (seen[at - 1]?.atMs ?? 0))).toBe(true);
        const last = new Map<string, number>();
        const steps = seen.filter(({ producer, number }) => {
          const isBack = number < (last.get(producer) ?? 0);
          last.set(producer, number);
          return isBack;
        });
        if (jitterMs < 1_000) expect(steps).toEqual([]);
      }
    }
  });
});

/** By time, as a store has them, of producers whose clocks are far off for one event in fifty. */
function jittered(producers: number, jitterMs: number, random: () => number): readonly DecisionEvent[] {
  const events: DecisionEvent[] = [];
  for (let producer = 0; producer < producers; producer += 1) {
    let atMs = 1_000_000 + random() * 500;
    for (let number = 0; number < 200; number += 1) {
      atMs += random() * 40;
      // Ahead only: so no two are apart by more than that.
      events.push(event(`p${producer}:${number}`, Math.floor(atMs + (random() < 0.02 ? random() * jitterMs : 0))));
    }
  }
  return events.sort((a, b) => a.at_ms - b.at_ms);
}

async function* pieces(events: readonly DecisionEvent[], random: () => number): AsyncGenerator<readonly DecisionEvent[]> {
  for (let from = 0; from < events.length; ) {
    const to = from + 1 + Math.floor(random() * 60);
    yield events.slice(from, to);
    from = to;
  }
}

function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}
