import type { Decision, PolicyOutcome } from '@sluice/limiter';
import { quotaItem } from './quota-item.js';
import { retryAfterSeconds } from './retry-after-seconds.js';
import { sfInteger } from './structured-fields.js';

/** Every rate limit field that {@link rateLimitHeaders} can write, lower case: what a proxy drops from an upstream's reply. */
export const RATE_LIMIT_FIELDS = [
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'ratelimit-policy',
  'ratelimit',
] as const;

/** Value for `Access-Control-Expose-Headers`, without which a page's script cannot read them (known failure 73). */
export const EXPOSED_HEADERS = 'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, RateLimit-Policy, RateLimit, Retry-After';

/**
 * The response fields of one decision (R70), the same set on an allowed and on a refused answer (known failure 65):
 * - `X-RateLimit-Limit`, `-Remaining`, `-Reset` (epoch seconds by the store's clock, rounded up) of the deciding policy, which
 *   is the tightest, or the one that refuses. Reset is never before the time that `Retry-After` names (known failure 62).
 * - `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10): every enforced policy in the rules' order,
 *   and its remaining permits with the tightest first.
 * - a refusal adds `Retry-After` and `Cache-Control: no-store` (RFC 6585, section 4; known failure 75).
 *
 * Empty when no rule matched: there is nothing to state. With a lease `Remaining` is the node's own hint.
 * `w` has no sub-second form in the draft: a shorter window says `w=1`, and the next second up otherwise.
 */
export function rateLimitHeaders(decision: Decision): Record<string, string> {
  const { deciding, allowed } = decision;
  const headers: Record<string, string> = deciding === undefined ? {} : fieldsOf(decision, deciding);
  if (!allowed) {
    const seconds = retryAfterSeconds(decision);
    if (seconds !== undefined) headers['Retry-After'] = String(seconds);
    headers['Cache-Control'] = 'no-store';
  }
  return headers;
}

function fieldsOf({ policies, nowMs, allowed }: Decision, deciding: PolicyOutcome): Record<string, string> {
  const { name, quota } = quotaItem(deciding);
  let quotas = quota;
  let limits = limitItem(name, deciding, allowed);
  if (policies.length > 1) {
    quotas = policies.map((policy) => quotaItem(policy).quota).join(', ');
    for (const policy of policies) {
      if (policy !== deciding && policy.policy !== deciding.policy) limits += `, ${limitItem(quotaItem(policy).name, policy, allowed)}`;
    }
  }
  return {
    'X-RateLimit-Limit': String(deciding.limit),
    'X-RateLimit-Remaining': String(Math.max(0, deciding.remaining)),
    'X-RateLimit-Reset': String(Math.ceil((nowMs + Math.max(0, deciding.resetMs, deciding.retryMs)) / 1000)),
    'RateLimit-Policy': quotas,
    RateLimit: limits,
  };
}

/**
 * `t` is the time to more quota: the wait for another such request, or the time to a full quota, its upper bound. On a refusal
 * the policies that would have allowed carry none, so that no `t` is later than `Retry-After` (the draft's rule).
 */
function limitItem(name: string, policy: PolicyOutcome, allowed: boolean): string {
  const item = `${name};r=${sfInteger(policy.remaining)}`;
  if (!allowed && policy.allowed) return item;
  if (policy.retryMs > 0) return `${item};t=${sfInteger(policy.retryMs / 1000, 1)}`;
  return allowed ? `${item};t=${sfInteger(policy.resetMs / 1000)}` : item;
}
