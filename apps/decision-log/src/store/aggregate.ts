import type { StandardAttribute } from '@sluice/events';
import type { DecisionFilter } from './decision-filter.js';

/** What sums can be grouped by; `rule_id` is that of the deciding limit. */
export type Dimension = StandardAttribute | 'rule_id' | 'rule_version' | 'region' | 'node_id' | 'kind' | 'reason' | 'source';

/** What groups can be ordered by, the greatest first. */
export type AggregateOrder = 'requests' | 'refused' | 'distinct_keys';

/** A question for sums. */
export interface Aggregate {
  readonly filter: DecisionFilter;
  /** May be empty: then there is one group. Events that lack a dimension are in the group null. */
  readonly groupBy: readonly Dimension[];
  /** Length of the buckets of time, aligned to the epoch (UTC); absent: no buckets. */
  readonly bucketMs?: number;
  /** Also count different `key_id`s. */
  readonly distinctKeys?: boolean;
  /** Only groups that have at least so many, as estimated. */
  readonly atLeast?: { readonly measure: AggregateOrder; readonly value: number };
  /** Absent: by bucket, then group, text by its bytes and null last. */
  readonly orderBy?: AggregateOrder;
  /** Only what comes after this row in the order by bucket and group; not together with `orderBy`. */
  readonly after?: Pick<AggregateRow, 'bucketMs' | 'group'>;
  readonly limit: number;
}

/**
 * Sums of one group and bucket. Requests are estimates where allows are sampled (R80): each event stands for 1 / share.
 * Refusals are never sampled.
 */
export interface AggregateRow {
  /** Start of the bucket; undefined without buckets. */
  readonly bucketMs: number | undefined;
  /** In the order of `groupBy`. */
  readonly group: readonly (string | null)[];
  /** Stored events. */
  readonly events: number;
  readonly requests: number;
  readonly allowed: number;
  readonly refused: number;
  /** Sum of the costs that were admitted, and of all. */
  readonly allowedCost: number;
  readonly cost: number;
  /** Variance of `requests` that comes from sampling: the sum of (1 - share) / share² over the events; its square root is the standard error. */
  readonly variance: number;
  /** Present when asked for. */
  readonly distinctKeys: number | undefined;
  readonly firstMs: number;
  readonly lastMs: number;
}
