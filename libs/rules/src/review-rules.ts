import { compileRule } from './compile-rule.js';
import { CoverCandidates } from './cover-candidates.js';
import { covers, type Reach } from './covers.js';
import type { Fault } from './fault.js';
import { sameness } from './places-taken.js';
import { MATCH_CLASS, planDefaultMatch, planDefaultRule, ruleMatch } from './rule-match.js';
import type { Plan, Rule } from './rule.js';
import { sortInSteps } from './sort-in-steps.js';
import { compareSpecificity } from './specificity.js';
import { atOnce, eachInSteps, mapInSteps, type Steps } from './steps.js';

/** A rule that can never apply, because another one of its policy applies whenever it would, and is more specific. */
export interface ShadowedRule {
  /** `/rules/3`, or `/plans/0/default_limit`. */
  readonly pointer: string;
  readonly rule_id: string;
  /** Id of the rule that always wins. */
  readonly shadowed_by: string;
  readonly detail: string;
}

export interface Review {
  /** Two rules with the very same match and policy: which of them applied would be an accident of their ids. */
  readonly faults: readonly Fault[];
  readonly warnings: readonly ShadowedRule[];
}

/** A review that may have been too much work. */
export interface BoundedReview extends Review {
  /** Pairs of rules that were compared. More than was allowed: the review ended there, and warnings may be missing. */
  readonly comparisons: number;
}

interface Entry extends Reach {
  readonly pointer: string;
  readonly policy: string;
  readonly shadow: boolean;
}

/**
 * What is wrong or odd between well-formed rules before they are published (R57). Rules with mode `off` take no part, and rules in shadow conflict with
 * none and hide none: each stands alone against those in force (R58), which may well hide it.
 * A match within another one always outranks it, so a single rule can only shadow another through what that counts by (a rule for `user_id: *`
 * shadows one that counts by user_id), or, for a plan's default limit, by a rule for the plan.
 */
export function reviewRules(rules: readonly Rule[], plans: readonly Plan[] = []): Review {
  const { faults, warnings } = atOnce(reviewRulesSteps(rules, plans));
  return { faults, warnings };
}

/**
 * As {@link reviewRules}, in steps. Most rules meet few others, and a set of thousands takes as many comparisons; but one can be made up in which each has to be compared with each.
 *
 * @param mostComparisons the review ends above it
 */
export function* reviewRulesSteps(rules: readonly Rule[], plans: readonly Plan[] = [], mostComparisons = Infinity): Steps<BoundedReview> {
  const entries = (yield* mapInSteps(rules, (rule, index) => entryOf(rule, `/rules/${String(index)}`) ?? [])).flat();
  const { kept, faults } = yield* conflicts(entries);
  const defaults = plans.flatMap((plan, index) => {
    const rule = planDefaultRule(plan);
    const entry = rule && entryOf(rule, `/plans/${String(index)}/default_limit`);
    return entry && rule ? [{ ...entry, match: planDefaultMatch(rule) }] : [];
  });
  return { faults, ...(yield* shadowed([...kept, ...defaults], mostComparisons)) };
}

function entryOf(rule: Rule, pointer: string): Entry | undefined {
  const compiled = compileRule(rule);
  if (compiled.mode === 'off') return undefined;
  return { pointer, match: ruleMatch(rule), countBy: compiled.countBy, policy: compiled.policy, shadow: compiled.mode === 'shadow' };
}

function* conflicts(entries: readonly Entry[]): Steps<{ readonly kept: readonly Entry[]; readonly faults: readonly Fault[] }> {
  const first = new Map<string, Entry>();
  const faults: Fault[] = [];
  yield* eachInSteps(entries, (entry) => {
    if (entry.shadow) return;
    const key = sameness(entry.match, entry);
    const other = first.get(key);
    if (other === undefined) first.set(key, entry);
    else {
      const detail = `matches exactly what ${other.match.ruleId} matches, in the same policy: give one of them another policy or a descriptor`;
      faults.push({ pointer: entry.pointer, detail });
    }
  });
  return { kept: [...first.values(), ...entries.filter(({ shadow }) => shadow)], faults };
}

function* shadowed(entries: readonly Entry[], mostComparisons: number): Steps<Omit<BoundedReview, 'faults'>> {
  const ranked = yield* sortInSteps(entries, (a, b) => compareSpecificity(a.match, b.match));
  const enforced = ranked.filter(({ shadow }) => !shadow);
  // By the order's nature nothing else can shadow a stored rule; anything can shadow a plan's default.
  const asking = yield* CoverCandidates.of(enforced.filter(({ match }) => match.wild.length > 0), ranked);
  const warnings: ShadowedRule[] = [];
  let comparisons = 0;
  for (const entry of ranked) {
    let winner: Entry | undefined;
    for (const group of entry.match.matchClass === MATCH_CLASS.planDefault ? [enforced] : asking.for(entry)) {
      for (const other of group) {
        // Groups are in order: what comes now is outranked by the entry itself, or by the winner.
        if (compareSpecificity(other.match, (winner ?? entry).match) >= 0) break;
        comparisons += 1;
        if (comparisons > mostComparisons) return { warnings, comparisons };
        if (comparisons % COMPARISONS_A_STEP === 0) yield;
        if (isShadowedBy(entry, other)) winner = other;
      }
    }
    yield;
    if (winner === undefined) continue;
    const rule_id = entry.match.ruleId;
    const shadowed_by = winner.match.ruleId;
    warnings.push({ pointer: entry.pointer, rule_id, shadowed_by, detail: `can never apply: ${shadowed_by} is more specific and applies whenever it would` });
  }
  return { warnings, comparisons };
}

/** Some tens of µs. */
const COMPARISONS_A_STEP = 256;

/** Given that `other` outranks it. */
function isShadowedBy(entry: Entry, other: Entry): boolean {
  return other.policy === entry.policy && covers(other, entry) && !(entry.shadow && sameness(other.match, other) === sameness(entry.match, entry));
}
