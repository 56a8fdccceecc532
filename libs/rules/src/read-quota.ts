import { ALGORITHMS, type AlgorithmName } from '@sluice/algorithms';
import { flag, integerBetween, oneOf, type Check } from './checks.js';
import { compact } from './compact.js';
import { ObjectReader } from './object-reader.js';
import { readWindow } from './read-window.js';
import { MAX_SUB_BUCKETS, MAX_WINDOW_MS, RULE_DEFAULTS } from './rule-defaults.js';
import type { QuotaJson } from './rule.js';

export const QUOTA_FIELDS = ['algorithm', 'limit', 'window_seconds', 'calendar', 'burst', 'sub_buckets', 'shape', 'charge_denied'];

/** Permits: 1 to 2^53-1. */
export const PERMITS = integerBetween(1, Number.MAX_SAFE_INTEGER);

const ALGORITHM = oneOf(ALGORITHMS);
const SUB_BUCKETS = integerBetween(1, MAX_SUB_BUCKETS);

/** The quota fields of an object that may have others: of a rule, or of a plan's default limit. */
export function readQuota(reader: ObjectReader): QuotaJson | undefined {
  const faultsBefore = reader.faults.length;
  const algorithm = reader.optional('algorithm', ALGORITHM);
  const limit = reader.required('limit', PERMITS);
  const window = readWindow(reader);
  const rest = {
    burst: reader.optional('burst', PERMITS),
    sub_buckets: reader.optional('sub_buckets', SUB_BUCKETS),
    shape: reader.optional('shape', flag),
    charge_denied: reader.optional('charge_denied', flag),
  };
  if (limit === undefined || window === undefined || reader.faults.length > faultsBefore) return undefined;
  const quota: QuotaJson = compact({ algorithm, limit, ...window, ...rest });
  checkCombination(reader, quota);
  return quota;
}

export const quotaJson: Check<QuotaJson> = (value, pointer, faults) => {
  const reader = ObjectReader.open(value, pointer, faults, QUOTA_FIELDS);
  return reader && readQuota(reader);
};

/** Whether the capacity of this algorithm is its own `burst` instead of the limit. */
export function hasBurst(algorithm: AlgorithmName): boolean {
  return algorithm === 'token_bucket' || algorithm === 'leaky_bucket' || algorithm === 'gcra';
}

/**
 * Whether a full burst drains within the longest window. Beyond that no TTL of two windows could hold it (R12), and its time
 * in ms could leave 2^53.
 */
export function drainsInTime(burst: number, limit: number, windowMs: number): boolean {
  return BigInt(burst) * BigInt(windowMs) <= BigInt(MAX_WINDOW_MS) * BigInt(limit);
}

const DRAIN_DETAIL = 'must drain within 366 days at this limit and window (burst x window / limit)';

function checkCombination(reader: ObjectReader, quota: QuotaJson): void {
  const algorithm = quota.algorithm ?? RULE_DEFAULTS.algorithm;
  const windowMs = Math.round(quota.window_seconds * 1000);
  if (quota.calendar !== undefined && algorithm !== 'fixed_window') {
    reader.fault('calendar', 'is for the algorithm fixed_window only');
  }
  if (quota.burst !== undefined) {
    if (!hasBurst(algorithm)) reader.fault('burst', 'is for the algorithms token_bucket, leaky_bucket and gcra only');
    else if (!drainsInTime(quota.burst, quota.limit, windowMs)) reader.fault('burst', DRAIN_DETAIL);
  }
  if (quota.sub_buckets !== undefined && quota.sub_buckets !== 1) {
    if (algorithm !== 'sliding_counter') reader.fault('sub_buckets', 'is for the algorithm sliding_counter only');
    else if (windowMs % quota.sub_buckets !== 0) reader.fault('sub_buckets', `must divide the window of ${String(windowMs)} ms`);
  }
  if (quota.shape === true && algorithm !== 'leaky_bucket') {
    reader.fault('shape', 'is for the algorithm leaky_bucket only');
  }
}
