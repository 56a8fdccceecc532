import { Kafka, logLevel } from 'kafkajs';
import { canAptInstall } from '../find/apt-install.js';
import { findOnPath } from '../find/find-on-path.js';
import { startKafka } from './kafka-server.js';
import { startMockKafka } from './mock-kafka.js';
import { sharedKafka } from './shared-kafka.js';

// The first run of a machine fetches Kafka.
const TIMEOUT_MS = 300_000;

let topics = 0;
const freshTopic = (): string => `testkit-${process.pid}-${Date.now()}-${(topics += 1)}`;
const quiet = { logLevel: logLevel.NOTHING };
const client = (brokers: string[]): Kafka => new Kafka({ ...quiet, brokers });

async function send(brokers: string[], topic: string, value: string): Promise<void> {
  const producer = client(brokers).producer();
  await producer.connect();
  await producer.send({ topic, messages: [{ value }] });
  await producer.disconnect();
}

async function receive(brokers: string[], topic: string): Promise<string> {
  const consumer = client(brokers).consumer({ groupId: topic });
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  const value = await new Promise<string>((resolve, reject) => {
    consumer.run({ eachMessage: async ({ message }) => resolve(String(message.value)) }).catch(reject);
  });
  await consumer.disconnect();
  return value;
}

describe('R90 the shared Kafka', () => {
  it('carries a message from a producer to a consumer group', async () => {
    const { brokers } = await sharedKafka();
    expect(await sharedKafka()).toMatchObject({ brokers });
    const topic = freshTopic();
    await send(brokers, topic, 'hello');
    expect(await receive(brokers, topic)).toBe('hello');
  }, TIMEOUT_MS);
});

describe('R90 a private Kafka', () => {
  it('keeps what was sent through kill -9 and restart', async () => {
    const server = await startKafka();
    if (server.kind === 'kafka') {
      const topic = freshTopic();
      await send(server.brokers, topic, 'kept');
      await server.kill();
      await expect(new Kafka({ ...quiet, brokers: server.brokers, retry: { retries: 0 } }).admin().connect()).rejects.toThrow();
      await server.restart();
      expect(await receive(server.brokers, topic)).toBe('kept');
    } else {
      await expect(server.restart()).rejects.toThrow('cannot restart');
    }
    await server.stop();
  }, TIMEOUT_MS);
});

describe('R90 the mock that stands in where Kafka cannot be had', () => {
  const available = findOnPath('kcat') !== undefined || canAptInstall();
  (available ? it : it.skip)('carries a message too', async () => {
    const mock = await startMockKafka('a test asked for it', 'process');
    const topic = freshTopic();
    await send(mock.brokers, topic, 'hello');
    expect(await receive(mock.brokers, topic)).toBe('hello');
    await mock.stop();
  }, TIMEOUT_MS);
});
