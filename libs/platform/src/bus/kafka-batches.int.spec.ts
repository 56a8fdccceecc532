import { sharedKafka } from '@sluice/testkit';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { CompressionCodecs, CompressionTypes, Kafka, logLevel } from 'kafkajs';
import { pino } from 'pino';
import type { BusBatch, OutgoingMessage } from './event-batches.js';
import { KafkaBus, type KafkaBusOptions } from './kafka-bus.js';

const logger = pino({ level: process.env['SLUICE_TEST_LOG'] ?? 'silent' });
const buses: KafkaBus[] = [];
const { brokers, kind } = await sharedKafka();
/** A mock broker creates no topics by request, keeps nothing over a restart, and has no idempotent producer. */
const onReal = kind === 'mock' ? it.skip : it;

function busOn(options: Partial<KafkaBusOptions> = {}): KafkaBus {
  const bus = new KafkaBus({ brokers, clientId: 'platform-test', logger, publishBoundMs: 5_000, ...options });
  buses.push(bus);
  return bus;
}

const topicName = (): string => `test.${randomUUID()}`;
const client = (to: readonly string[] = brokers): Kafka => new Kafka({ brokers: [...to], logLevel: logLevel.NOTHING });
const text = (values: readonly OutgoingMessage[]): string[] => values.map(({ value }) => value.toString());
const messages = (count: number, from = 0, keys = 5): OutgoingMessage[] =>
  Array.from({ length: count }, (_, index) => ({ key: `k${(from + index) % keys}`, value: `${from + index} ${'x'.repeat(100)}` }));

async function topicOf(partitions: number): Promise<string> {
  const topic = topicName();
  const admin = client().admin();
  await admin.connect();
  await admin.createTopics({ topics: [{ topic, numPartitions: partitions }], waitForLeaders: true });
  await admin.disconnect();
  return topic;
}

async function memberOf(groupId: string): Promise<string[]> {
  const admin = client().admin();
  await admin.connect();
  const { groups } = await admin.describeGroups([groupId]);
  await admin.disconnect();
  return groups.flatMap(({ members }) => members.map(({ memberId }) => memberId));
}

/** What a group has committed, as numbers of messages, of each partition. */
async function committed(topic: string, groupId: string): Promise<number> {
  const admin = client().admin();
  await admin.connect();
  const offsets = await admin.fetchOffsets({ groupId, topics: [topic] });
  await admin.disconnect();
  return offsets.flatMap(({ partitions }) => partitions.map(({ offset }) => Math.max(0, Number(offset)))).reduce((sum, offset) => sum + offset, 0);
}

async function until(met: () => boolean | Promise<boolean>, timeoutMs = 30_000): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await met())) {
    if (performance.now() > deadline) throw new Error('It did not come to pass in time.');
    await sleep(25);
  }
}

afterEach(async () => {
  await Promise.all(buses.splice(0).map((bus) => bus.close()));
}, 30_000);

describe('R80 batches on Kafka', () => {
  onReal('come compressed, each message once, in the order of its key, and are committed once handled', async () => {
    const bus = busOn();
    let decompressed = 0;
    const codec = CompressionCodecs[CompressionTypes.ZSTD]?.();
    if (codec === undefined) throw new Error('no zstd');
    CompressionCodecs[CompressionTypes.ZSTD] = () => ({
      ...codec,
      decompress: (buffer: Buffer) => {
        decompressed += buffer.length;
        return codec.decompress(buffer);
      },
    });
    const topic = await topicOf(3);
    const groupId = `g-${randomUUID()}`;
    const sent = messages(5_000);
    expect(await bus.publishBatch(topic, sent)).toBe(5_000);
    const batches: BusBatch[] = [];
    bus.subscribeBatches(topic, groupId, (batch) => Promise.resolve(void batches.push(batch)));
    const seen = (): BusBatch['messages'] => batches.flatMap((batch) => batch.messages);
    await until(() => seen().length >= 5_000);
    for (let key = 0; key < 5; key += 1) {
      expect(text(seen().filter((message) => message.key === `k${key}`))).toEqual(text(sent.filter((message) => message.key === `k${key}`)));
    }
    expect(new Set(batches.map(({ partition }) => partition)).size).toBeGreaterThan(1);
    for (const { messages: batch } of batches) expect(batch.map(({ offset }) => offset)).toEqual(batch.map((_, index) => (batch[0]?.offset ?? 0n) + BigInt(index)));
    expect(decompressed).toBeGreaterThan(0);
    expect(decompressed).toBeLessThan(5_000 * 106 * 0.2);
    await until(async () => (await committed(topic, groupId)) === 5_000);
    expect(bus.stats()).toMatchObject({ published: 5_000, dropped: 0, handled: 5_000, failed: 0 });
  }, 60_000);

  it('a handler that fails five times gets the same messages again, and its member stays in the group', async () => {
    const bus = busOn();
    const topic = topicName();
    const groupId = `g-${randomUUID()}`;
    expect(await bus.publishBatch(topic, messages(100, 0, 1))).toBe(100);
    const calls: string[][] = [];
    const members = new Set<string>();
    bus.subscribeBatches(topic, groupId, async (batch) => {
      calls.push(text(batch.messages));
      if (kind === 'kafka') for (const member of await memberOf(groupId)) members.add(member);
      if (calls.length <= 5) throw new Error('not now');
    });
    await until(() => calls.length >= 6, 45_000);
    expect(calls.map(String)).toEqual(Array.from({ length: 6 }, () => String(text(messages(100, 0, 1)))));
    if (kind === 'kafka') expect(members.size).toBe(1);
    await until(() => bus.stats().handled === 100);
    expect(await bus.publishBatch(topic, messages(1, 100, 1))).toBe(1);
    await until(() => calls.length === 7);
    expect(calls[6]).toEqual(text(messages(1, 100, 1)));
  }, 90_000);

  it('a handler that takes longer than a session does keeps its member and its batch', async () => {
    const bus = busOn({ sessionTimeoutMs: 6_000 });
    const topic = topicName();
    await bus.publishBatch(topic, messages(10, 0, 1));
    let calls = 0;
    bus.subscribeBatches(topic, `g-${randomUUID()}`, async () => {
      calls += 1;
      if (calls === 1) await sleep(9_000);
    });
    await until(() => calls === 1);
    await until(() => bus.stats().handled === 10, 20_000);
    await bus.publishBatch(topic, messages(1, 10, 1));
    await until(() => bus.stats().handled === 11);
    expect(calls).toBe(2);
  }, 60_000);

  onReal('a member that was thrown out while it handled commits nothing: the same messages come again', async () => {
    const bus = busOn({ sessionTimeoutMs: 6_000 });
    const topic = topicName();
    const groupId = `g-${randomUUID()}`;
    await bus.publishBatch(topic, messages(10, 0, 1));
    const calls: string[][] = [];
    bus.subscribeBatches(topic, groupId, async (batch) => {
      calls.push(text(batch.messages));
      if (calls.length > 1) return;
      // Nothing runs here for longer than a session: the broker takes this member for dead. Then it hears so.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 7_500);
      await sleep(1_500);
    });
    await until(() => calls.length === 2, 45_000);
    expect(calls[1]).toEqual(calls[0]);
    await until(async () => (await committed(topic, groupId)) === 10);
    expect(calls).toHaveLength(2);
  }, 90_000);

  onReal('two members share the partitions, while one joins and one leaves: nothing is lost, and of a partition nothing comes out of order', async () => {
    const topic = await topicOf(4);
    const groupId = `g-${randomUUID()}`;
    const producer = busOn();
    const seen = new Map<number, bigint[]>();
    let bySecond = 0;
    const handle =
      (member: 1 | 2) =>
      async ({ partition, messages: batch }: BusBatch): Promise<void> => {
        await sleep(50);
        if (member === 2) bySecond += batch.length;
        seen.set(partition, [...(seen.get(partition) ?? []), ...batch.map(({ offset }) => offset)]);
      };
    let published = 0;
    const publish = async (count: number): Promise<void> => {
      for (let at = 0; at < count; at += 200) {
        published += await producer.publishBatch(topic, messages(200, published, 97));
        await sleep(5);
      }
    };
    const all = (): boolean => [...seen.values()].reduce((sum, offsets) => sum + new Set(offsets).size, 0) === published;
    const first = busOn();
    first.subscribeBatches(topic, groupId, handle(1));
    await publish(4_000);
    const second = busOn();
    const joining = second.subscribeBatches(topic, groupId, handle(2));
    await Promise.all([publish(8_000), joining.ready]);
    await publish(4_000);
    await until(all, 40_000);
    expect(bySecond).toBeGreaterThan(0);
    await second.close();
    await publish(2_000);
    await until(all, 40_000);
    expect(published).toBe(18_000);
    for (const offsets of seen.values()) {
      // A repeat goes back to where the position was; from there on it rises by one.
      let end = -1n;
      for (const [at, offset] of offsets.entries()) {
        expect(offset).toBeLessThanOrEqual(end + 1n);
        if (at > 0 && offset !== (offsets[at - 1] ?? 0n) + 1n) expect(offset).toBeLessThanOrEqual(end);
        if (offset > end) end = offset;
      }
    }
  }, 120_000);
});
