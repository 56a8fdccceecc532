import type { DecisionEvent } from '@sluice/events';
import type { Aggregate, AggregateRow } from './aggregate.js';
import type { DecisionColumns } from './decision-columns.js';
import type { DecisionFilter } from './decision-filter.js';

/** An event as it came from one partition of the topic. */
export interface ReceivedEvent {
  readonly partition: number;
  readonly event: DecisionEvent;
}

/** What became of a batch. */
export interface Written {
  readonly stored: number;
  /** Events that were there already, which is no fault: deliveries repeat. */
  readonly repeated: number;
}

/** What a page starts after: the place of one event in the order of {@link DecisionStore.find}. */
export interface DecisionPlace {
  readonly atMs: number;
  readonly eventId: string;
}

/** How much a store holds, for readiness and metrics. */
export interface StoreStatus {
  /** Which one: `duckdb` or `clickhouse`. */
  readonly kind: string;
  readonly events: number;
  readonly bytes: number;
  readonly oldestMs: number | undefined;
  readonly newestMs: number | undefined;
}

/**
 * The port to the columnar store (R81). Two real things stand behind it: DuckDB in this process, and ClickHouse. All methods reject with a
 * {@link StoreUnavailable} while the store cannot be asked, and with a {@link QueryTooLarge} for what it will not read.
 */
export interface DecisionStore {
  /**
   * Stores a batch: when it resolves all is durable, and each event id is there once, however often and in whatever batches it is delivered again
   * (R81). When it rejects the batch may be there wholly, in part or not at all, and is to be written again. One call at a time.
   */
  write(batch: readonly ReceivedEvent[]): Promise<Written>;
  /** The newest first; equal times by event id, descending. At most `limit`, after `after` where given. */
  find(filter: DecisionFilter, limit: number, after?: DecisionPlace): Promise<readonly DecisionEvent[]>;
  /** Sums by groups and buckets, weighted by sampling. */
  aggregate(query: Aggregate): Promise<readonly AggregateRow[]>;
  /** All events of a filter, the oldest first, in chunks; holds one chunk in memory. Ends early when the caller stops iterating. */
  scan(filter: DecisionFilter): AsyncIterable<readonly DecisionEvent[]>;
  /**
   * The same for a replay, by columns: only what it asks for, texts as numbers. The oldest first, equal times in any order.
   *
   * @param attributes names of those that are wanted; where one has no column of its own, all such come with it
   */
  scanColumns(filter: DecisionFilter, attributes: ReadonlySet<string>): AsyncIterable<DecisionColumns>;
  /** Work that is due once a minute or so: parts written out, those past the retention removed. Safe at any time, and to be cut off. */
  tend(nowMs: number): Promise<void>;
  status(): Promise<StoreStatus>;
  close(): Promise<void>;
}
