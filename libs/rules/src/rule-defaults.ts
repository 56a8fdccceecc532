/** What an absent field of a rule means. */
export const RULE_DEFAULTS = {
  algorithm: 'sliding_counter',
  sub_buckets: 1,
  shape: false,
  charge_denied: false,
  count_by: ['key_id'],
  policy: 'default',
  mode: 'enforce',
  on_store_failure: 'allow',
  consistency: 'leased',
  region_mode: 'merged',
  shards: 1,
} as const;

/** Nominal windows in seconds, for headers and estimates: a month of 30 days and a year of 365, as Envoy has them. */
export const NOMINAL_WINDOW_SECONDS = { hour: 3_600, day: 86_400, week: 604_800, month: 2_592_000, year: 31_536_000 } as const;

export const MIN_WINDOW_MS = 100;
/** 366 days. */
export const MAX_WINDOW_MS = 31_622_400_000;
/** A finer estimate than 1 % costs memory and buys nothing (R13). */
export const MAX_SUB_BUCKETS = 100;
export const MAX_SHARDS = 64;
/** Fewest permits of limit and of burst that a shard is left with: what is smaller would refuse while others have room (R28). */
export const MIN_SHARD_PERMITS = 20;
export const MAX_COUNT_BY = 8;
export const MAX_DESCRIPTORS = 16;
