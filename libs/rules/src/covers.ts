import type { EndpointTemplate } from './endpoint-template.js';
import type { RuleMatch } from './rule-match.js';

/** A match and what the rule counts by: a request that lacks one of those is not the rule's. */
export interface Reach {
  readonly match: RuleMatch;
  readonly countBy: readonly string[];
}

/** Whether `wide` applies to every request that `narrow` applies to. */
export function covers(wide: Reach, narrow: Reach): boolean {
  const { match } = wide;
  return (
    (match.plan === undefined || match.plan === narrow.match.plan) &&
    (match.domain === undefined || match.domain === narrow.match.domain) &&
    templateCovers(match.template, narrow.match.template) &&
    match.exact.every(([name, value]) => narrow.match.exact.some((other) => other[0] === name && other[1] === value)) &&
    match.wild.every((name) => isPresent(name, narrow)) &&
    wide.countBy.every((name) => isPresent(name, narrow))
  );
}

function isPresent(name: string, { match, countBy }: Reach): boolean {
  if (countBy.includes(name) || match.wild.includes(name) || match.exact.some(([exact]) => exact === name)) return true;
  if (name === 'plan') return match.plan !== undefined;
  if (name === 'domain') return match.domain !== undefined;
  return name === 'endpoint' && match.template !== undefined;
}

function templateCovers(wide: EndpointTemplate | undefined, narrow: EndpointTemplate | undefined): boolean {
  if (wide === undefined) return true;
  if (narrow === undefined || (wide.method !== undefined && wide.method !== narrow.method)) return false;
  if (wide.segments.length > narrow.segments.length) return false;
  if (!wide.segments.every((segment, at) => segment === undefined || segment === narrow.segments[at])) return false;
  return wide.tail || (!narrow.tail && wide.segments.length === narrow.segments.length);
}
