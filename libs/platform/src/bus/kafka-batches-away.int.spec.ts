import { freePort, sharedKafka, startKafka } from '@sluice/testkit';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Kafka, logLevel } from 'kafkajs';
import { pino } from 'pino';
import type { OutgoingMessage } from './event-batches.js';
import { KafkaBatchProducer } from './kafka-batch-producer.js';
import { KafkaBus, type KafkaBusOptions } from './kafka-bus.js';

const logger = pino({ level: process.env['SLUICE_TEST_LOG'] ?? 'silent' });
const buses: KafkaBus[] = [];
const { kind } = await sharedKafka();
/** A mock broker keeps nothing over a restart, and has no idempotent producer. */
const onReal = kind === 'mock' ? it.skip : it;

function busOn(options: Omit<KafkaBusOptions, 'clientId' | 'logger'>): KafkaBus {
  const bus = new KafkaBus({ clientId: 'platform-test', logger, ...options });
  buses.push(bus);
  return bus;
}

const topicName = (): string => `test.${randomUUID()}`;
const text = (values: readonly OutgoingMessage[]): string[] => values.map(({ value }) => value.toString());
const messages = (count: number, from = 0): OutgoingMessage[] => Array.from({ length: count }, (_, index) => ({ key: 'k', value: `${from + index} ${'x'.repeat(100)}` }));

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

describe('R43 Kafka is away', () => {
  it('a batch takes the bound and no more, and is dropped and counted; closing ends', async () => {
    const bus = busOn({ brokers: [`127.0.0.1:${await freePort()}`], publishBoundMs: 300 });
    const started = performance.now();
    expect(await bus.publishBatch('t', messages(20_000))).toBe(0);
    expect(performance.now() - started).toBeLessThan(1_500);
    expect(bus.stats()).toEqual({ published: 0, dropped: 20_000, handled: 0, failed: 0 });
    const closing = performance.now();
    await bus.close();
    expect(performance.now() - closing).toBeLessThan(3_000);
    expect(await bus.publishBatch('t', messages(1))).toBe(0);
  }, 30_000);

  onReal('a broker is killed and comes back under batches: what was accepted is there, once, in order; what was not was counted', async () => {
    const kafka = await startKafka();
    try {
      const bus = busOn({ brokers: kafka.brokers, publishBoundMs: 2_000 });
      const topic = topicName();
      const accepted: string[] = [];
      const took: number[] = [];
      let tried = 0;
      const publish = async (): Promise<number> => {
        const batch = messages(300, tried);
        tried += batch.length;
        const started = performance.now();
        const count = await bus.publishBatch(topic, batch);
        took.push(performance.now() - started);
        accepted.push(...text(batch).slice(0, count));
        return count;
      };
      for (let round = 0; round < 3; round += 1) {
        const killed = sleep(150 + 100 * round).then(() => kafka.kill());
        const rest = Array.from({ length: 400 });
        for (const _ of rest) if ((await publish()) === 0) break;
        await killed;
        expect(await publish()).toBe(0);
        await kafka.restart();
        await until(async () => (await publish()) === 300, 30_000);
      }
      await publish();
      expect(Math.max(...took)).toBeLessThan(3_500);
      const seen: string[] = [];
      bus.subscribeBatches(topic, `g-${randomUUID()}`, (batch) => Promise.resolve(void seen.push(...text(batch.messages))));
      await until(() => seen.includes(accepted.at(-1) ?? ''), 45_000);
      const there = new Set(seen);
      expect(accepted.filter((value) => !there.has(value))).toEqual([]);
      expect(seen).toHaveLength(there.size);
      const positions = seen.map((value) => Number(value.split(' ')[0]));
      expect(positions).toEqual([...positions].sort((one, other) => one - other));
      const { published, dropped } = bus.stats();
      expect(published).toBe(accepted.length);
      expect(published + dropped).toBe(tried);
      expect(dropped).toBeGreaterThan(0);
    } finally {
      await kafka.stop();
    }
  }, 120_000);

  it('a broker that hangs costs a batch its bound; when it is back, batches are sent and read again', async () => {
    const kafka = await startKafka();
    try {
      const bus = busOn({ brokers: kafka.brokers, publishBoundMs: 1_000 });
      const topic = topicName();
      const seen: string[] = [];
      await until(async () => (await bus.publishBatch(topic, messages(10))) === 10);
      bus.subscribeBatches(topic, `g-${randomUUID()}`, (batch) => Promise.resolve(void seen.push(...text(batch.messages))));
      await until(() => seen.length >= 10);
      kafka.pause();
      for (let from = 10; from < 40; from += 10) {
        const started = performance.now();
        expect(await bus.publishBatch(topic, messages(10, from))).toBe(0);
        expect(performance.now() - started).toBeLessThan(2_000);
      }
      kafka.resume();
      await until(async () => (await bus.publishBatch(topic, messages(1, 1_000))) === 1, 30_000);
      await until(() => seen.some((value) => value.startsWith('1000 ')), 45_000);
    } finally {
      await kafka.stop();
    }
  }, 120_000);

  onReal('what was given up and is written later takes no other batch for a repeat of it', async () => {
    const kafka = await startKafka();
    try {
      const client = new Kafka({ brokers: kafka.brokers, logLevel: logLevel.NOTHING, requestTimeout: 800, connectionTimeout: 800, retry: { retries: 0 } });
      const topic = topicName();
      const bus = busOn({ brokers: kafka.brokers, publishBoundMs: 5_000 });
      await until(async () => (await bus.publishBatch(topic, messages(1))) === 1);
      const producer = new KafkaBatchProducer({ kafka: client, logger, topic, boundMs: 1_000 });
      const seen: string[] = [];
      await until(async () => (await producer.publish(messages(10))) === 10);
      kafka.pause();
      expect(await producer.publish(messages(10, 10))).toBe(0);
      // Until it is no longer tried; the broker has it in its socket.
      await sleep(10_000);
      kafka.resume();
      // As many as those were.
      await until(async () => (await producer.publish(messages(10, 1_000))) === 10);
      bus.subscribeBatches(topic, `g-${randomUUID()}`, (batch) => Promise.resolve(void seen.push(...text(batch.messages))));
      await until(() => [...Array(10).keys()].every((index) => seen.some((value) => value.startsWith(`${1_000 + index} `))), 20_000);
      await producer.close();
    } finally {
      await kafka.stop();
    }
  }, 120_000);
});
