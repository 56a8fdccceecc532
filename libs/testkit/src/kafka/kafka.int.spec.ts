import { Kafka, logLevel } from 'kafkajs';
import { canAptInstall } from '../find/apt-install.js';
import { findOnPath } from '../find/find-on-path.js';
import { startMockKafka } from './mock-kafka.js';
import { sharedKafka } from './shared-kafka.js';

// The first run of a machine fetches Kafka.
const TIMEOUT_MS = 300_000;

async function sendAndReceive(brokers: string[]): Promise<string> {
  const name = `testkit-${process.pid}-${Date.now()}`;
  const kafka = new Kafka({ clientId: name, brokers, logLevel: logLevel.NOTHING });
  const [producer, consumer] = [kafka.producer(), kafka.consumer({ groupId: name })];
  await producer.connect();
  await producer.send({ topic: name, messages: [{ key: 'k', value: 'hello' }] });
  await consumer.connect();
  await consumer.subscribe({ topic: name, fromBeginning: true });
  const received = await new Promise<string>((resolve, reject) => {
    consumer.run({ eachMessage: async ({ message }) => resolve(String(message.value)) }).catch(reject);
  });
  await Promise.all([consumer.disconnect(), producer.disconnect()]);
  return received;
}

describe('R90 the shared Kafka', () => {
  it('carries a message from a producer to a consumer group', async () => {
    const { brokers } = await sharedKafka();
    expect(await sharedKafka()).toMatchObject({ brokers });
    expect(await sendAndReceive(brokers)).toBe('hello');
  }, TIMEOUT_MS);
});

describe('R90 the mock that stands in where Kafka cannot be had', () => {
  const available = findOnPath('kcat') !== undefined || canAptInstall();
  (available ? it : it.skip)('carries a message too', async () => {
    const mock = await startMockKafka('a test asked for it', 'process');
    expect(await sendAndReceive(mock.brokers)).toBe('hello');
    await expect(mock.restart()).rejects.toThrow('cannot restart');
    await mock.stop();
  }, TIMEOUT_MS);
});
