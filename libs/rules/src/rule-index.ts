import type { AppliedRule } from './compiled-rule.js';
import type { RequestAttributes } from './rule.js';

/** Matching over one snapshot; immutable. */
export interface RuleIndex {
  readonly version: number;
  /** One rule for each policy that applies, the most specific; expired overrides do not count at `nowMs`. */
  match(attributes: RequestAttributes, nowMs: number): readonly AppliedRule[];
}
