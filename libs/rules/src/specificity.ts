import type { RuleMatch } from './rule-match.js';

/**
 * Orders matches, the most specific first: class, then more exact descriptors, more descriptors, more literal segments, a method,
 * the narrower route segment by segment, a domain, and the rule id, so that the order is total. It does not depend on the
 * request, which lets a snapshot rank its rules once. A match within another one is never ranked behind it.
 */
export function compareSpecificity(a: RuleMatch, b: RuleMatch): number {
  return (
    b.matchClass - a.matchClass ||
    b.exact.length - a.exact.length ||
    b.wild.length - a.wild.length ||
    b.literals - a.literals ||
    Number(b.template?.method !== undefined) - Number(a.template?.method !== undefined) ||
    compareText(b.shape, a.shape) ||
    Number(b.domain !== undefined) - Number(a.domain !== undefined) ||
    compareText(a.ruleId, b.ruleId)
  );
}

/** By code unit: the locale must not decide. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
