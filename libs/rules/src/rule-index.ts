import type { AppliedRule } from './compiled-rule.js';
import type { RequestAttributes } from './rule.js';

/** Matching over one snapshot; immutable. */
export interface RuleIndex {
  readonly version: number;
  /**
   * The enforced rules that apply, by policy, the most specific of each; then those in shadow that would decide if they were enforced (R58). Expired overrides
   * do not count at `nowMs`.
   */
  match(attributes: RequestAttributes, nowMs: number): readonly AppliedRule[];
}
