import { sharedServer } from '../run/shared-server.js';
import { startKafka } from './kafka-server.js';

/** Where the run's Kafka is, and what it is. */
export interface KafkaAddress {
  readonly brokers: string[];
  readonly kind: 'kafka' | 'mock';
}

/** The run's one Kafka; isolate by topic and group names. `SLUICE_TEST_KAFKA_BROKERS` (comma list) names another. */
export async function sharedKafka(): Promise<KafkaAddress> {
  const given = process.env['SLUICE_TEST_KAFKA_BROKERS'];
  if (given !== undefined) return { brokers: given.split(',').map((broker) => broker.trim()), kind: 'kafka' };
  return sharedServer('kafka', async () => {
    const { brokers, kind, pid } = await startKafka({ lifetime: 'run' });
    return { address: { brokers, kind }, pids: [pid] };
  });
}
