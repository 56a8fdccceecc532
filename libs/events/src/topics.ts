/** The topics of Sluice (ARCHITECTURE "Kafka"); each has a dead letter topic `<topic>.dlq`. */
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
