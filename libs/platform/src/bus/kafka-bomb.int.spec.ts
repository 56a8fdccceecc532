import { sharedKafka } from '@sluice/testkit';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { CompressionTypes, Kafka, logLevel } from 'kafkajs';
import { pino } from 'pino';
import type { BatchMessage } from './event-batches.js';
import { KafkaBus } from './kafka-bus.js';
import { LEFT_OUT } from './left-out-records.js';

const { brokers, kind } = await sharedKafka();

describe('R81 a batch that is small on the wire and endless in memory', () => {
  it.each([
    ['zstd', CompressionTypes.ZSTD],
    ['gzip', CompressionTypes.GZIP],
  ])('is not in the way of what comes after it: %s', async (_, compression) => {
    if (kind === 'mock') return;
    const topic = `test.${randomUUID()}`;
    const bus = new KafkaBus({ brokers, clientId: 'bomb', logger: pino({ level: 'silent' }), publishBoundMs: 5_000 });
    const producer = new Kafka({ brokers: [...brokers], logLevel: logLevel.NOTHING }).producer({ allowAutoTopicCreation: true });
    try {
      await producer.connect();
      expect(await bus.publishBatch(topic, [{ key: 'k', value: 'before' }])).toBe(1);
      const endless = Buffer.alloc(40 * 1024 * 1024, 97);
      await producer.send({ topic, compression, messages: [1, 2].map(() => ({ key: 'k', partition: 0, value: endless })) });
      await producer.send({ topic, messages: [{ key: 'k', partition: 0, value: 'after' }] });
      const seen: BatchMessage[] = [];
      bus.subscribeBatches(topic, `g-${randomUUID()}`, (batch) => Promise.resolve(void seen.push(...batch.messages)));
      for (const deadline = performance.now() + 40_000; seen.length < 4 && performance.now() < deadline; ) await sleep(50);
      expect(seen.map(({ value }) => value.toString())).toEqual(['before', LEFT_OUT.toString(), LEFT_OUT.toString(), 'after']);
      expect(seen.map(({ offset }) => offset)).toEqual([0n, 1n, 2n, 3n]);
    } finally {
      await producer.disconnect();
      await bus.close();
    }
  }, 90_000);
});
