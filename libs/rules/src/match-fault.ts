import type { RuleMatch } from './rule-match.js';
import type { RequestAttributes } from './rule.js';

/** Where a rule and a request part. */
export type MatchFault = 'domain' | 'plan' | 'endpoint' | 'descriptor' | 'count_by';

/** The first thing that keeps a rule from a request, and in words; undefined when the rule matches and counts it. */
export function matchFault(
  match: RuleMatch,
  countBy: readonly string[],
  attributes: RequestAttributes,
  meetsEndpoint: boolean,
): { readonly fault: MatchFault; readonly detail: string } | undefined {
  const { domain, plan, exact, wild } = match;
  if (domain !== undefined && domain !== attributes.domain) return { fault: 'domain', detail: `it is for the domain ${domain}, and the request's is ${shown(attributes.domain)}` };
  if (plan !== undefined && plan !== attributes.plan) return { fault: 'plan', detail: `it is for the plan ${plan}, and the request's is ${shown(attributes.plan)}` };
  if (!meetsEndpoint) return { fault: 'endpoint', detail: `its endpoint does not match ${shown(attributes.endpoint)}` };
  const wrong = exact.find(([name, value]) => attributes[name] !== value);
  if (wrong !== undefined) return { fault: 'descriptor', detail: `it asks for ${wrong[0]} = ${wrong[1]}, and the request's is ${shown(attributes[wrong[0]])}` };
  const absent = wild.find((name) => typeof attributes[name] !== 'string');
  if (absent !== undefined) return { fault: 'descriptor', detail: `it asks for the descriptor ${absent}, which the request lacks` };
  const uncounted = countBy.find((name) => typeof attributes[name] !== 'string');
  if (uncounted !== undefined) return { fault: 'count_by', detail: `it counts by ${uncounted}, which the request lacks` };
  return undefined;
}

function shown(value: string | undefined): string {
  return value === undefined ? 'absent' : JSON.stringify(value);
}
