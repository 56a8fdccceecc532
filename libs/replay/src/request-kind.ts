import type { AppliedRule, CompiledRule } from '@sluice/rules';
import { newCounter } from './counter.js';
import type { Limit } from './decider.js';
import { join } from './lane-group.js';
import type { RuleLane } from './rule-lane.js';

/** What applies to all requests that are alike to the rules. */
export interface RequestKind {
  readonly applied: readonly AppliedRule[];
  /** Of rules that are enforced; the counters are those of the request at hand. */
  readonly limits: readonly Limit[];
  /** Of {@link limits}, one that counts by key. */
  readonly byKey: Limit | undefined;
  /** There are rules in shadow. */
  readonly isWatched: boolean;
}

export function requestKind(applied: readonly AppliedRule[], laneOf: (rule: CompiledRule) => RuleLane): RequestKind {
  const isWatched = applied.some(({ rule }) => rule.mode === 'shadow');
  const limits = isWatched ? [] : applied.map((one): Limit => ({ applied: one, lane: laneOf(one.rule), counter: newCounter() }));
  join(limits);
  return { applied, limits, byKey: limits.find(({ lane }) => lane.isByKey), isWatched };
}
