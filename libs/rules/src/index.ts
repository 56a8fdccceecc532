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
export type { RuleIndex } from './rule-index.js';
export type { AppliedRule, CompiledRule } from './compiled-rule.js';
