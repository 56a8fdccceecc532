import type { Fault } from './fault.js';
import { MIN_SHARD_PERMITS, RULE_DEFAULTS } from './rule-defaults.js';
import type { Rule } from './rule.js';

/**
 * Why the counters of a rule are not split, though it says `shards` (R28). Each shard is a counter of its own with its part of the limit: a sliding
 * log is chosen for its exactness, a shaper has one queue, denials that are charged are charged once, and a part that is too small refuses what
 * the whole would grant.
 */
export function splitFaults(rule: Rule): readonly Fault[] {
  const { shards = RULE_DEFAULTS.shards } = rule;
  const detail = shards > 1 ? splitFault(rule, shards) : undefined;
  return detail === undefined ? [] : [{ pointer: '/shards', detail }];
}

function splitFault(rule: Rule, shards: number): string | undefined {
  const { algorithm = RULE_DEFAULTS.algorithm, consistency = RULE_DEFAULTS.consistency } = rule;
  if (algorithm === 'sliding_log') return 'a sliding_log is not split';
  if (rule.shape === true) return 'a shaper is not split: it has one queue';
  if (rule.charge_denied === true) return 'a counter that charges denials is not split';
  if (consistency === 'approximate' || consistency === 'gossip') return `a counter with consistency ${consistency} is not split: it hardly asks the store`;
  const least = Math.floor(Math.min(rule.limit, rule.burst ?? rule.limit) / shards);
  if (least >= MIN_SHARD_PERMITS) return undefined;
  return `the counter is not split: that leaves ${String(least)} permits for a shard, and at least ${String(MIN_SHARD_PERMITS)} are needed, of limit and burst`;
}
