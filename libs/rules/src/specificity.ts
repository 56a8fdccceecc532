import type { EndpointTemplate } from './endpoint-template.js';
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
    literals(b.template) - literals(a.template) ||
    Number(b.template?.method !== undefined) - Number(a.template?.method !== undefined) ||
    compareText(shape(b.template), shape(a.template)) ||
    Number(b.domain !== undefined) - Number(a.domain !== undefined) ||
    compareText(a.ruleId, b.ruleId)
  );
}

function literals(template: EndpointTemplate | undefined): number {
  return template?.segments.filter((segment) => segment !== undefined).length ?? 0;
}

/** One letter a segment, so that text order is the order of narrowness: tail < end < param < literal. */
function shape(template: EndpointTemplate | undefined): string {
  if (template === undefined) return '';
  return template.segments.map((segment) => (segment === undefined ? 'p' : 's')).join('') + (template.tail ? 'a' : 'e');
}

/** By code unit: the locale must not decide. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
