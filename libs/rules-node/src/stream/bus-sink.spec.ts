import type { OutgoingMessage } from '@sluice/platform';
import { busSink } from './bus-sink.js';

describe('R80 events go over the bus', () => {
  it('in one batch at a time, in their order, also where several streams share the sink', async () => {
    const begun: string[] = [];
    const ends: ((accepted: number) => void)[] = [];
    const sink = busSink({
      publishBatch(topic: string, messages: readonly OutgoingMessage[]) {
        begun.push(`${topic} ${messages.map(({ value }) => String(value)).join()}`);
        return new Promise((resolve) => ends.push(resolve));
      },
    });
    const sent = ['a', 'b', 'c'].map((value) => sink.send([{ key: 'k', value }, { key: 'k', value: `${value}2` }]));
    await new Promise(setImmediate);
    expect(begun).toEqual(['sluice.decisions.v1 a,a2']);
    for (const accepted of [2, 1, 0]) {
      ends.shift()?.(accepted);
      await new Promise(setImmediate);
    }
    expect(begun.slice(1)).toEqual(['sluice.decisions.v1 b,b2', 'sluice.decisions.v1 c,c2']);
    expect(await Promise.all(sent)).toEqual([2, 1, 0]);
  });
});
