import type { CompiledRule } from './compiled-rule.js';
import { countingIdentity } from './counting-identity.js';
import { replacedRuleId } from './names.js';
import { quotaOf } from './quota-of.js';
import { RULE_DEFAULTS } from './rule-defaults.js';
import type { Rule } from './rule.js';

const DEFAULT_COUNT_BY: readonly string[] = Object.freeze([...RULE_DEFAULTS.count_by]);

/** Fills in the defaults and derives what the hot path reads. Expects a validated rule. */
export function compileRule(rule: Rule): CompiledRule {
  const quota = Object.freeze(quotaOf(rule));
  const countBy = rule.count_by === undefined ? DEFAULT_COUNT_BY : Object.freeze([...rule.count_by]);
  return Object.freeze({
    ruleId: rule.rule_id,
    version: rule.version,
    replaces: replacedRuleId(rule.rule_id),
    policy: rule.policy ?? RULE_DEFAULTS.policy,
    mode: rule.mode ?? RULE_DEFAULTS.mode,
    quota,
    countBy,
    identity: countingIdentity(rule.rule_id, quota, countBy),
    onStoreFailure: rule.on_store_failure ?? RULE_DEFAULTS.on_store_failure,
    consistency: rule.consistency ?? RULE_DEFAULTS.consistency,
    regionMode: rule.region_mode ?? RULE_DEFAULTS.region_mode,
    maxLease: rule.max_lease,
    shards: rule.shards ?? RULE_DEFAULTS.shards,
  });
}
