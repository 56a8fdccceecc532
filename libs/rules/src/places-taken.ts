import type { CompiledRule } from './compiled-rule.js';
import { templateKey } from './endpoint-template.js';
import type { RuleMatch } from './rule-match.js';
import { eachInSteps, type Steps } from './steps.js';

/** A rule and what it matches. */
export interface Matched {
  readonly match: RuleMatch;
  readonly rule: CompiledRule;
}

/** For rules in shadow: the enforced ones that each would take the place of. */
export interface PlacesTaken {
  /** By the id of the rule in shadow. */
  readonly by: ReadonlyMap<string, ReadonlySet<string>>;
  /** All those that somebody would take the place of. */
  readonly all: ReadonlySet<string>;
}

const NOBODY: PlacesTaken = { by: new Map(), all: new Set() };

/**
 * A rule in shadow would take the place of the one that it is a proposed version of, and of one that matches exactly the same in the same policy: beside
 * that one it could never be enforced (R57), so that to compare their ids would answer a question that nobody has.
 */
export function* placesTaken(parts: readonly Matched[]): Steps<PlacesTaken> {
  const shadows = parts.filter(({ rule }) => rule.mode === 'shadow');
  if (shadows.length === 0) return NOBODY;
  const enforced = new Map<string, string[]>();
  yield* eachInSteps(parts, ({ match, rule }) => {
    if (rule.mode === 'shadow') return;
    const key = sameness(match, rule);
    const ids = enforced.get(key);
    if (ids === undefined) enforced.set(key, [rule.ruleId]);
    else ids.push(rule.ruleId);
  });
  const by = new Map<string, ReadonlySet<string>>();
  const all = new Set<string>();
  yield* eachInSteps(shadows, ({ match, rule }) => {
    const ids = new Set(enforced.get(sameness(match, rule)));
    if (rule.replaces !== undefined) ids.add(rule.replaces);
    if (ids.size > 0) by.set(rule.ruleId, ids);
    for (const id of ids) all.add(id);
  });
  return { by, all };
}

/** The same text for all rules that match exactly the same in one policy. */
export function sameness({ matchClass, domain, plan, template, exact, wild }: RuleMatch, { policy }: Pick<CompiledRule, 'policy'>): string {
  return JSON.stringify([policy, matchClass, domain ?? null, plan ?? null, template ? templateKey(template) : null, exact, wild]);
}
