import { compileRule } from './compile-rule.js';
import { covers, type Reach } from './covers.js';
import type { Fault } from './fault.js';
import { sameness } from './places-taken.js';
import { MATCH_CLASS, planDefaultMatch, planDefaultRule, ruleMatch } from './rule-match.js';
import type { Plan, Rule } from './rule.js';
import { compareSpecificity } from './specificity.js';

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
  const entries = rules.flatMap((rule, index) => entryOf(rule, `/rules/${String(index)}`) ?? []);
  const { kept, faults } = conflicts(entries);
  const defaults = plans.flatMap((plan, index) => {
    const rule = planDefaultRule(plan);
    const entry = rule && entryOf(rule, `/plans/${String(index)}/default_limit`);
    return entry && rule ? [{ ...entry, match: planDefaultMatch(rule) }] : [];
  });
  return { faults, warnings: shadowed([...kept, ...defaults]) };
}

function entryOf(rule: Rule, pointer: string): Entry | undefined {
  const compiled = compileRule(rule);
  if (compiled.mode === 'off') return undefined;
  return { pointer, match: ruleMatch(rule), countBy: compiled.countBy, policy: compiled.policy, shadow: compiled.mode === 'shadow' };
}

function conflicts(entries: readonly Entry[]): { readonly kept: readonly Entry[]; readonly faults: readonly Fault[] } {
  const first = new Map<string, Entry>();
  const faults: Fault[] = [];
  for (const entry of entries) {
    if (entry.shadow) continue;
    const key = sameness(entry.match, entry);
    const other = first.get(key);
    if (other === undefined) first.set(key, entry);
    else {
      const detail = `matches exactly what ${other.match.ruleId} matches, in the same policy: give one of them another policy or a descriptor`;
      faults.push({ pointer: entry.pointer, detail });
    }
  }
  return { kept: [...first.values(), ...entries.filter(({ shadow }) => shadow)], faults };
}

function shadowed(entries: readonly Entry[]): readonly ShadowedRule[] {
  const ranked = [...entries].sort((a, b) => compareSpecificity(a.match, b.match));
  // By the order's nature nothing else can shadow a stored rule, and all pairs of 5,000 rules would take a third of a second.
  const enforced = ranked.filter(({ shadow }) => !shadow);
  const asking = enforced.filter(({ match }) => match.wild.length > 0);
  return ranked.flatMap((entry) => {
    const rivals = entry.match.matchClass === MATCH_CLASS.planDefault ? enforced : asking;
    const winner = rivals.find((other) => other.policy === entry.policy && covers(other, entry) && compareSpecificity(other.match, entry.match) < 0 && !(entry.shadow && sameness(other.match, other) === sameness(entry.match, entry)));
    if (winner === undefined) return [];
    const rule_id = entry.match.ruleId;
    const shadowed_by = winner.match.ruleId;
    return [{ pointer: entry.pointer, rule_id, shadowed_by, detail: `can never apply: ${shadowed_by} is more specific and applies whenever it would` }];
  });
}
