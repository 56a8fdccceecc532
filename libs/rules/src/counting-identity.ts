import type { AlgorithmName, Quota } from '@sluice/algorithms';

/** Two letters each: the identity is part of every counter's key, and keys cost memory (R13). */
const CODES: Readonly<Record<AlgorithmName, string>> = {
  fixed_window: 'fw',
  sliding_log: 'sl',
  sliding_counter: 'sc',
  token_bucket: 'tb',
  leaky_bucket: 'lb',
  gcra: 'gc',
};

/**
 * Names the counters of a rule (R61). Rule id, algorithm, window, sub-buckets and the counted attributes are in it, so that a change of
 * one of them starts clean; limit, burst and version are not, so that a change of those meets the live counters.
 * Injective: neither rule ids nor attribute names hold `~`, and what follows the algorithm is digits or a zone.
 */
export function countingIdentity(ruleId: string, quota: Quota, countBy: readonly string[]): string {
  const window = quota.calendar ? `@${quota.calendar.unit}@${quota.calendar.timeZone}` : String(quota.windowMs);
  const subBuckets = quota.subBuckets === 1 ? '' : `/${String(quota.subBuckets)}`;
  const attributes = countBy.length === 1 && countBy[0] === 'key_id' ? '' : `~${countBy.join(',')}`;
  return `${ruleId}~${CODES[quota.algorithm]}${window}${subBuckets}${attributes}`;
}
