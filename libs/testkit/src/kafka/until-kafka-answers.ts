import { Kafka, logLevel } from 'kafkajs';
import type { ServerProcess } from '../run/server-process.js';

const READY_TIMEOUT_MS = 90_000;

/** Waits until the broker tells about itself: it listens a while before it has its own metadata. */
export async function untilKafkaAnswers(server: ServerProcess, brokers: string[]): Promise<void> {
  const kafka = new Kafka({
    clientId: 'sluice-testkit',
    brokers,
    logLevel: logLevel.NOTHING,
    connectionTimeout: 1_000,
    requestTimeout: 2_000,
    retry: { retries: 0 },
  });
  await server.untilReady(async () => {
    const admin = kafka.admin();
    try {
      await admin.connect();
      return (await admin.describeCluster()).brokers.length > 0;
    } finally {
      await admin.disconnect();
    }
  }, READY_TIMEOUT_MS);
}
