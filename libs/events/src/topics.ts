/** The topics of Sluice (ARCHITECTURE "Kafka"). The `v1` is the topic's own: a change of shape within it is the event's schema version. */
export const TOPICS = {
  /** Wakes nodes after a change of rules; {@link ConfigChanged}. */
  config: 'sluice.config.v1',
  /** One event a decision, by key id. */
  decisions: 'sluice.decisions.v1',
  /** Cumulative usage, by counter. */
  usage: 'sluice.usage.v1',
  /** What a region may admit, by counter; compacted. */
  budgets: 'sluice.budgets.v1',
} as const;

export type Topic = (typeof TOPICS)[keyof typeof TOPICS];

/** Where a topic's messages go that no consumer could read. */
export function deadLetterTopic<T extends string>(topic: T): `${T}.dlq` {
  return `${topic}.dlq`;
}
