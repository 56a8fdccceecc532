import { pino } from 'pino';
import type { BusBatch, OutgoingMessage } from './event-batches.js';
import { InProcessBus } from './in-process-bus.js';

const messages = (count: number, from = 0): OutgoingMessage[] => Array.from({ length: count }, (_, index) => ({ key: `k${index % 7}`, value: String(from + index) }));
const values = (batch: BusBatch): string[] => batch.messages.map(({ value }) => value.toString());
const numbers = (count: number): string[] => Array.from({ length: count }, (_, index) => String(index));

async function until(met: () => boolean, timeoutMs = 10_000): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!met()) {
    if (performance.now() > deadline) throw new Error('It did not come to pass in time.');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

describe('R80 batches on the bus of one process', () => {
  const bus = (): InProcessBus => new InProcessBus(pino({ level: 'silent' }));

  it('hands on what waits in batches of at most 2,000, in order, with rising offsets, to one member of each group', async () => {
    const one = bus();
    const seen: BusBatch[] = [];
    const standby: BusBatch[] = [];
    const other: string[] = [];
    const gather = (into: BusBatch[]) => (batch: BusBatch) => Promise.resolve(void into.push(batch));
    one.subscribeBatches('t', 'g', gather(seen));
    one.subscribeBatches('t', 'g', gather(standby));
    one.subscribeBatches('t', 'h', (batch) => Promise.resolve(void other.push(...values(batch))));
    expect(await one.publishBatch('t', messages(3_000))).toBe(3_000);
    expect(await one.publish('t', 'k', '3000')).toBe('sent');
    expect(await one.publishBatch('t', messages(1_500, 3_001))).toBe(1_500);
    await until(() => other.length === 4_501 && seen.flatMap(values).length === 4_501);
    expect(seen.flatMap(values)).toEqual(numbers(4_501));
    expect(other).toEqual(numbers(4_501));
    expect(seen.flatMap(({ messages: batch }) => batch.map(({ offset }) => offset))).toEqual(numbers(4_501).map(BigInt));
    expect(seen.map(({ messages: batch }) => batch.length)).toEqual([2_000, 2_000, 501]);
    expect(standby).toEqual([]);
    await one.close();
    expect(one.stats()).toEqual({ published: 4_501, dropped: 0, handled: 9_002, failed: 0 });
  });

  it('a batch that fails comes again until it does not, before all that is behind it', async () => {
    const one = bus();
    const calls: string[][] = [];
    one.subscribeBatches('t', 'g', (batch) => {
      calls.push(values(batch));
      return calls.length < 3 ? Promise.reject(new Error('not now')) : Promise.resolve();
    });
    await one.publishBatch('t', messages(2));
    await until(() => calls.length === 1);
    await one.publishBatch('t', messages(2, 2));
    await until(() => calls.length >= 3 && one.stats().handled === 4);
    expect(calls.slice(0, 3)).toEqual([numbers(2), numbers(4), numbers(4)]);
    await one.close();
    expect(one.stats()).toMatchObject({ handled: 4, failed: 0 });
  });

  it('has room for 100,000 messages a group: further ones are dropped and counted, and nothing waits for the handler', async () => {
    const one = bus();
    let release: () => void = () => undefined;
    const stuck = new Promise<void>((resolve) => {
      release = resolve;
    });
    let handled = 0;
    one.subscribeBatches('t', 'g', async (batch) => {
      await stuck;
      handled += batch.messages.length;
    });
    for (let batch = 0; batch < 99; batch += 1) await one.publishBatch('t', messages(1_000));
    expect(await one.publishBatch('t', messages(1_500))).toBe(1_000);
    expect(await one.publishBatch('t', messages(10))).toBe(0);
    expect(await one.publish('t', 'k', 'x')).toBe('dropped');
    expect(one.stats()).toMatchObject({ published: 100_000, dropped: 511 });
    release();
    await one.close();
    expect(handled).toBe(100_000);
  });

  it('those who subscribed to single messages get them too', async () => {
    const one = bus();
    const seen: string[] = [];
    one.subscribe('t', 'broadcast', ({ key, value }) => void seen.push(`${key}=${value.toString()}`));
    expect(await one.publishBatch('t', messages(3))).toBe(3);
    await one.close();
    expect(seen).toEqual(['k0=0', 'k1=1', 'k2=2']);
    expect(await one.publishBatch('t', messages(3))).toBe(0);
  });

  it('the next member takes over where one leaves; the last one takes what waits with it, as far as it can', async () => {
    const one = bus();
    const seen: string[] = [];
    const failing = one.subscribeBatches('t', 'g', () => Promise.reject(new Error('never')));
    const next = one.subscribeBatches('t', 'g', (batch) => Promise.resolve(void seen.push(...values(batch))));
    await one.publishBatch('t', messages(5));
    await until(() => one.stats().published === 5);
    await failing.close();
    await until(() => seen.length === 5);
    void one.publishBatch('t', messages(4, 5));
    await next.close();
    expect(seen).toEqual(numbers(9));
    const last = one.subscribeBatches('t', 'g', () => Promise.reject(new Error('never')));
    await one.publishBatch('t', messages(3));
    await last.close();
    expect(one.stats()).toMatchObject({ handled: 9, failed: 3 });
    await one.close();
  });

  it('takes no promise and little time a message: a million in less than 5 s', async () => {
    const one = bus();
    let handled = 0;
    one.subscribeBatches('t', 'g', (batch) => Promise.resolve(void (handled += batch.messages.length)));
    const batch = messages(1_000);
    const started = performance.now();
    for (let at = 0; at < 1_000; at += 1) {
      await one.publishBatch('t', batch);
      if (at % 50 === 49) await until(() => handled === (at + 1) * 1_000);
    }
    expect(performance.now() - started).toBeLessThan(5_000);
    await one.close();
  });
});
