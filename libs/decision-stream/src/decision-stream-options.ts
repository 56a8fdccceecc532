import type { StreamSink } from './decision-stream.js';

export interface DecisionStreamOptions {
  readonly sink: StreamSink;
  readonly region: string;
  readonly nodeId: string;
  /** `gateway`, `decision` or `middleware`. */
  readonly app: string;
  /** Slots of the ring; a power of two from 2 to 2^20, default 65,536. */
  readonly capacity?: number | undefined;
  /** Share of the decisions that allow which is sent, 0, or 0.000001 to 1; default 0.01. */
  readonly allowShare?: number | undefined;
  /** Other shares of decisions by single rules, by rule id; of a decision by several the greatest holds, where a rule without one has `allowShare`. */
  readonly ruleShares?: ReadonlyMap<string, number> | undefined;
  /** Attributes that are sent beside the standard ones. At most 57. Never name one that holds a secret: names that end like one (`token`, `apiKey`, `session_id`) are refused. */
  readonly attributes?: readonly string[] | undefined;
  /** For events that no decision comes with. */
  readonly snapshotVersion: () => number;
  /** The store's clock as far as the node knows it, ms since the epoch. */
  readonly nowMs: () => number;
  /** Most events sent in a second; default 10,000. It bounds what sending takes of the processor, by kafkajs some 12 µs an event: a node that refuses more than that drops, and counts. */
  readonly maxPerSecond?: number | undefined;
  /** From 0 to below 1, for the sampling; default: Math.random. */
  readonly random?: (() => number) | undefined;
}
