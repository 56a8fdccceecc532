import type { CompiledRule, Mode } from '@sluice/rules';
import type { NamedTally } from './bounded-tallies.js';
import { doubtOf, together } from './doubt.js';
import { intervalOf, type Interval } from './interval.js';
import { KEY_ATTRIBUTES, type KeyAttribute, type ReplaySums } from './replay-sums.js';
import type { RuleLane } from './rule-lane.js';
import type { Tally } from './tally.js';

/** Sums of one group. Requests are estimates where allows were sampled; of what was not recorded the comparison says nothing. */
export interface SumsReport {
  readonly requests: number;
  /** Of {@link requests}; 0: exact. */
  readonly standard_error: number;
  readonly refused: number;
  /** Projected share of 429. */
  readonly refused_share: number;
  readonly cost: number;
  readonly refused_cost: number;
  readonly compared: Comparison | null;
}

/** With what really happened; null where no request said. */
export interface Comparison {
  readonly really_refused: number;
  readonly newly_refused: number;
  readonly newly_allowed: number;
  readonly same: number;
}

export interface NamedReport extends SumsReport {
  readonly name: string;
  /** Changes that may be missing in this line at most; 0: exact. */
  readonly missing_at_most: number;
}

export interface KeyReport extends NamedReport {
  readonly attribute: KeyAttribute;
}

export interface RuleReport {
  readonly rule_id: string;
  readonly version: number;
  readonly mode: Mode;
  /** Requests that it applied to. */
  readonly requests: number;
  /** Those that it refused as the rule that decides; of one in shadow those that it would have. */
  readonly refused: number;
  readonly refused_share: number;
  /** Of the refused. */
  readonly interval: Interval;
  readonly newly_refused: number;
}

export interface RecordedRuleReport {
  readonly rule_id: string;
  readonly really_refused: number;
  readonly newly_allowed: number;
}

/** What a replay came to (R59). Shadow is counted apart: it is in no sum but those of its own rule. */
export interface ReplayReport {
  readonly events: number;
  readonly sampled: boolean;
  readonly total: SumsReport & { readonly interval: Interval };
  readonly rules: readonly RuleReport[];
  /** By the rules that really refused. */
  readonly recorded_rules: readonly RecordedRuleReport[];
  readonly plans: readonly NamedReport[];
  readonly endpoints: readonly NamedReport[];
  readonly keys: readonly KeyReport[];
  /** A name that is not listed has at most so many changes: the lists are exact where this is 0 and they are not full. */
  readonly unlisted_at_most: { readonly plans: number; readonly endpoints: number; readonly keys: number };
  readonly bucket_ms: number;
  readonly times: readonly (SumsReport & { readonly start_ms: number })[];
  /** Requests that came after later ones. */
  readonly out_of_order: number;
  readonly counters: number;
  /** Counters that had to be forgotten before they were free; above 0 some requests passed that would have been refused. */
  readonly counters_forgotten: number;
}

export interface ReportOptions {
  /** Names in each list; default 100. */
  readonly top?: number;
  /** Without the course over time. */
  readonly brief?: boolean;
}

export function reportOf(sums: ReplaySums, lanes: ReadonlyMap<CompiledRule, RuleLane>, { top = 100, brief = false }: ReportOptions): ReplayReport {
  const { total, plans, endpoints, keys, times, recorded, sampled, greatestWeight, outOfOrder } = sums;
  const all = [...lanes.values()];
  const enforced = all.filter(({ rule }) => rule.mode === 'enforce');
  const weight = sampled ? greatestWeight : 0;
  return {
    events: total.events,
    sampled,
    total: { ...sumsOf(total), interval: intervalOf(total.refused, total.requests, together(enforced.map((lane) => doubtOf(lane, weight)), weight)) },
    rules: all.map((lane) => ruleOf(lane, weight)).sort((a, b) => b.refused - a.refused || b.requests - a.requests || (a.rule_id < b.rule_id ? -1 : 1)),
    recorded_rules: [...recorded]
      .map(([rule_id, { refused, newlyAllowed }]) => ({ rule_id, really_refused: refused, newly_allowed: newlyAllowed }))
      .sort((a, b) => b.really_refused - a.really_refused || (a.rule_id < b.rule_id ? -1 : 1)),
    plans: plans.top(top).map(named),
    endpoints: endpoints.top(top).map(named),
    keys: KEY_ATTRIBUTES.flatMap((attribute) => keys[attribute].top(top).map((one) => ({ attribute, ...named(one) })))
      .sort((a, b) => changes(b) - changes(a) || b.requests - a.requests)
      .slice(0, top),
    unlisted_at_most: { plans: plans.floor, endpoints: endpoints.floor, keys: Math.max(...KEY_ATTRIBUTES.map((attribute) => keys[attribute].floor)) },
    bucket_ms: times.bucketMs,
    times: brief ? [] : times.list().map(({ startMs, tally }) => ({ start_ms: startMs, ...sumsOf(tally) })),
    out_of_order: outOfOrder,
    counters: all.reduce((sum, { counters }) => sum + counters.size, 0),
    counters_forgotten: all.reduce((sum, { counters }) => sum + counters.forgotten, 0),
  };
}

function ruleOf(lane: RuleLane, weight: number): RuleReport {
  const { rule, requests, refused, newlyRefused } = lane;
  return {
    rule_id: rule.ruleId,
    version: rule.version,
    mode: rule.mode,
    requests,
    refused,
    refused_share: share(refused, requests),
    interval: intervalOf(refused, requests, doubtOf(lane, weight)),
    newly_refused: newlyRefused,
  };
}

function named({ name, tally, missingAtMost }: NamedTally): NamedReport {
  return { name, ...sumsOf(tally), missing_at_most: missingAtMost };
}

function sumsOf({ requests, variance, refused, cost, refusedCost, known, reallyRefused, newlyRefused, newlyAllowed }: Tally): SumsReport {
  return {
    requests,
    standard_error: Math.sqrt(variance),
    refused,
    refused_share: share(refused, requests),
    cost,
    refused_cost: refusedCost,
    compared: known === 0 ? null : { really_refused: reallyRefused, newly_refused: newlyRefused, newly_allowed: newlyAllowed, same: known - newlyRefused - newlyAllowed },
  };
}

function changes({ refused, compared }: SumsReport): number {
  return refused + (compared?.newly_allowed ?? 0);
}

function share(part: number, of: number): number {
  return of === 0 ? 0 : part / of;
}
