import type { StreamSink } from './decision-stream.js';

export interface DecisionStreamOptions {
  readonly sink: StreamSink;
  readonly region: string;
  readonly nodeId: string;
  /** `gateway`, `decision` or `middleware`. */
  readonly app: string;
  /** Slots of the ring; a power of two, default 65,536. */
  readonly capacity?: number | undefined;
  /** Share of the decisions that allow which is sent, 0 to 1; default 0.01. */
  readonly allowShare?: number | undefined;
  /** Other shares of decisions by single rules, by rule id; of a decision by several the greatest holds. */
  readonly ruleShares?: ReadonlyMap<string, number> | undefined;
  /** Attributes that are sent beside the standard ones. Never name one that holds a secret. */
  readonly attributes?: readonly string[] | undefined;
  /** For events that no decision comes with. */
  readonly snapshotVersion: () => number;
  /** The store's clock as far as the node knows it, ms since the epoch. */
  readonly nowMs: () => number;
}
