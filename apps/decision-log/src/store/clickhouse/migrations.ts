/** One step of the schema. A step that was released is never changed. */
export interface Migration {
  readonly version: number;
  readonly name: string;
  /** Each can be run again, and by two replicas at once: `IF NOT EXISTS`, or the like. */
  readonly statements: readonly string[];
}

/** Which steps were taken. */
export const MIGRATIONS_TABLE = `
CREATE TABLE IF NOT EXISTS decision_log_migrations (version UInt32, name String, applied_at DateTime DEFAULT now())
ENGINE = ReplacingMergeTree ORDER BY version`;

/**
 * `decisions`: an event is its sorting key, so that what is delivered twice falls together when parts are merged, and before that by `FINAL`. A day is a partition.
 * Within it the hour comes first: "this key at 14:02" reads one block of rows of an hour, "the last hour" reads that hour, and parts of different hours need no merging
 * when `FINAL` reads them. `at_ms` is an integer, since DateTime64 ends in 2299 and events may not.
 *
 * A part is on disk before its insert is answered (fsync). A day that is over is merged into one part by the server, after which `FINAL` costs nothing there.
 */
const DECISIONS = `
CREATE TABLE IF NOT EXISTS decisions (
  at_ms Int64 CODEC(Delta, ZSTD(1)),
  producer LowCardinality(String),
  sequence UInt64 CODEC(ZSTD(1)),
  event_id String ALIAS concat(producer, ':', toString(sequence)),
  key String CODEC(ZSTD(1)),
  key_absent Bool CODEC(ZSTD(1)),
  key_id Nullable(String) ALIAS if(key_absent, NULL, key),
  at DateTime64(3, 'UTC') ALIAS fromUnixTimestamp64Milli(at_ms, 'UTC'),
  schema_version UInt16 CODEC(ZSTD(1)),
  kind LowCardinality(String),
  region LowCardinality(String),
  node_id LowCardinality(String),
  app LowCardinality(String),
  snapshot_version UInt64 CODEC(ZSTD(1)),
  sampled_share Float64 CODEC(ZSTD(1)),
  allowed Bool CODEC(ZSTD(1)),
  reason LowCardinality(String),
  source LowCardinality(String),
  cost UInt64 CODEC(ZSTD(1)),
  retry_after_ms Nullable(UInt64) CODEC(ZSTD(1)),
  domain LowCardinality(Nullable(String)),
  plan LowCardinality(Nullable(String)),
  endpoint LowCardinality(Nullable(String)),
  tenant_id LowCardinality(Nullable(String)),
  user_id Nullable(String) CODEC(ZSTD(1)),
  ip Nullable(String) CODEC(ZSTD(1)),
  more_attributes Nullable(String) CODEC(ZSTD(1)),
  policy LowCardinality(Nullable(String)),
  rule_id LowCardinality(Nullable(String)),
  rule_version Nullable(UInt64) CODEC(ZSTD(1)),
  override_id Nullable(String) CODEC(ZSTD(1)),
  limit_allowed Nullable(Bool) CODEC(ZSTD(1)),
  limit_permits Nullable(UInt64) CODEC(ZSTD(1)),
  window_ms Nullable(UInt64) CODEC(ZSTD(1)),
  remaining Nullable(UInt64) CODEC(ZSTD(1)),
  reset_ms Nullable(UInt64) CODEC(ZSTD(1)),
  retry_ms Nullable(Int64) CODEC(ZSTD(1)),
  limit_source LowCardinality(Nullable(String)),
  limit_reason LowCardinality(Nullable(String)),
  more_limits Nullable(String) CODEC(ZSTD(1))
) ENGINE = ReplacingMergeTree
PARTITION BY intDiv(at_ms, 86400000)
PRIMARY KEY (intDiv(at_ms, 3600000), key, at_ms)
ORDER BY (intDiv(at_ms, 3600000), key, at_ms, producer, sequence)
SETTINGS ttl_only_drop_parts = 1, materialize_ttl_recalculate_only = 1,
  fsync_after_insert = 1, fsync_part_directory = 1,
  min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1`;

/** The highest sequence that is durable of each producer and partition of the topic: what is not above it is a repeat. */
const SEQUENCES = `
CREATE TABLE IF NOT EXISTS decision_sequences (stream_partition UInt32, producer String, sequence UInt64, heard_at DateTime)
ENGINE = ReplacingMergeTree(sequence) ORDER BY (stream_partition, producer)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1`;

export const MIGRATIONS: readonly Migration[] = [{ version: 1, name: 'decisions', statements: [DECISIONS, SEQUENCES] }];
