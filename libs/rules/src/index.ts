export { CONSISTENCIES, MODES, REGION_MODES, STORE_FAILURE_CHOICES } from './rule.js';
export type {
  CalendarJson,
  Consistency,
  Mode,
  OnStoreFailure,
  Override,
  Plan,
  QuotaJson,
  RegionMode,
  RequestAttributes,
  Rule,
  Snapshot,
} from './rule.js';
export { RULE_DEFAULTS } from './rule-defaults.js';
export type { RuleIndex } from './rule-index.js';
export type { AppliedRule, CompiledRule } from './compiled-rule.js';
export { assertGivenLimit } from './given-limit.js';
export type { GivenLimit } from './given-limit.js';
export { GivenRules } from './given-rules.js';
export type { GivenRule } from './given-rules.js';
export type { Fault, Validated } from './fault.js';
export { MAX_FAULTS } from './fault-list.js';
export { validateOverride, validatePlan, validateRule, validateSnapshot, validateSnapshotSteps } from './validate.js';
export { unavailableChoices } from './unavailable-choices.js';
export { reviewRules, reviewRulesSteps } from './review-rules.js';
export type { BoundedReview, Review, ShadowedRule } from './review-rules.js';
export { overrideFault } from './reference-faults.js';
export { outrankedRules } from './outranked-rules.js';
export { planDefaultId, proposedId, replacedRuleId } from './names.js';
export { overriddenQuota, quotaOf } from './quota-of.js';
export { compileRule } from './compile-rule.js';
export { compileSnapshot, compileSnapshotSteps } from './compile-snapshot.js';
export { applyDelta, applyDeltaSteps, validateDelta, validateDeltaSteps } from './snapshot-delta.js';
export type { SnapshotDelta } from './snapshot-delta.js';
export { canonicalText, snapshotChecksum, snapshotChecksumSteps } from './snapshot-checksum.js';
export { canonicalPath } from './canonical-path.js';
export { normalizeIp } from './normalize-ip.js';
export type { IpPrefixes } from './normalize-ip.js';
export { MAX_SHARDS, MIN_SHARD_PERMITS } from './rule-defaults.js';
export { atOnce, eachInSteps, mapInSteps } from './steps.js';
export type { Steps } from './steps.js';
export { inSlices } from './in-slices.js';
export type { SliceOptions } from './in-slices.js';
export { MatchExplainer } from './match-explainer.js';
export type { MatchExplanation, RuleExplanation } from './match-explainer.js';
