import type { Quota } from '@sluice/algorithms';
import type { Consistency, Mode, OnStoreFailure, RegionMode } from './rule.js';

/** A rule with every default filled in and every derived value made once, at snapshot time, for the hot path. */
export interface CompiledRule {
  readonly ruleId: string;
  readonly version: number;
  /** Of a proposed version: the rule that it would replace (R58). */
  readonly replaces: string | undefined;
  readonly policy: string;
  readonly mode: Mode;
  readonly quota: Quota;
  readonly countBy: readonly string[];
  /** Counting identity: rule id, algorithm and window; neither limit nor version, so that counters outlive a change of limit (R61). */
  readonly identity: string;
  readonly onStoreFailure: OnStoreFailure;
  readonly consistency: Consistency;
  readonly regionMode: RegionMode;
  readonly maxLease: number | undefined;
  readonly shards: number;
}

/** A rule that applies to one request: its quota is the rule's own or that of a live override. */
export interface AppliedRule {
  readonly rule: CompiledRule;
  readonly quota: Quota;
  readonly overrideId: string | undefined;
  /** Place among all rules of the snapshot: the lower, the more specific. Absent where it is of no snapshot. */
  readonly rank?: number;
}
