import { ConfigError } from '@sluice/platform';
import type { NodeProcessConfig } from '../node-config.js';

/** @throws ConfigError where the stream is to be on, and would reach nobody */
export function refuseStreamWithoutBrokers({ stream, kafkaBrokers }: Pick<NodeProcessConfig, 'stream' | 'kafkaBrokers'>): void {
  if (stream === 'on' && kafkaBrokers === undefined) throw new ConfigError(['SLUICE_STREAM is on, and SLUICE_KAFKA_BROKERS names no brokers that it could be sent to']);
}
