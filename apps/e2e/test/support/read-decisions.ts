import { randomUUID } from 'node:crypto';
import { decodeDecisionEvent, type DecisionEvent, TOPICS } from '@sluice/events';
import { createLogger, KafkaBus } from '@sluice/platform';

/** A message of the decision stream, and where it was. */
export interface ReadDecision {
  readonly key: string;
  readonly text: string;
  readonly partition: number;
  readonly event: DecisionEvent;
}

/** All that is in the topic of decisions, as it comes. */
export interface DecisionReader {
  /** Of one region: other stories may write into the same Kafka. */
  of(region: string): readonly ReadDecision[];
  close(): Promise<void>;
}

/** Reads from the beginning, in a group of its own. What is no event ends the test that waits for it. */
export function readDecisions(brokers: readonly string[]): DecisionReader {
  const bus = new KafkaBus({ brokers, clientId: 'e2e-reader', logger: createLogger({ app: 'e2e', level: 'fatal' }) });
  const read: ReadDecision[] = [];
  const wrong: string[] = [];
  bus.subscribeBatches(TOPICS.decisions, `e2e-${randomUUID()}`, async ({ partition, messages }) => {
    for (const { key, value } of messages) {
      const text = value.toString('utf8');
      const decoded = decodeDecisionEvent(text);
      if (decoded.ok) read.push({ key, text, partition, event: decoded.event });
      else wrong.push(`${decoded.reason}: ${text}`);
    }
  });
  return {
    of(region) {
      if (wrong.length > 0) throw new Error(`messages that are no events: ${wrong.join('\n')}`);
      return read.filter(({ event }) => event.region === region);
    },
    close: () => bus.close(),
  };
}
