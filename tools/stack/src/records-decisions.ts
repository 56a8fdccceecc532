import type { StandaloneConfig } from '@sluice-app/standalone';

/** Whether there is a decision log: what nodes decide reaches it over Kafka alone. */
export function recordsDecisions({ kafkaBrokers, stream }: Pick<StandaloneConfig, 'kafkaBrokers' | 'stream'>): boolean {
  return kafkaBrokers !== undefined && stream !== 'off';
}
