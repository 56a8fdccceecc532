import type { Decision, DecisionReason } from '@sluice/limiter';
import { retryAfterSeconds } from './retry-after-seconds.js';

/** `Content-Type` of {@link DenialProblem} (RFC 9457). */
export const PROBLEM_CONTENT_TYPE = 'application/problem+json';

const REGISTRY = 'https://iana.org/assignments/http-problem-types';

/** Body of a refusal: RFC 9457 with the extension members of draft-ietf-httpapi-ratelimit-headers-10 and our own. */
export interface DenialProblem {
  readonly type: string;
  readonly title: string;
  readonly status: 429 | 503;
  readonly detail: string;
  /** Names of the policies that refuse. */
  readonly 'violated-policies': readonly string[];
  readonly reason: DecisionReason;
  /** The same number as `Retry-After`; absent when no waiting helps. */
  readonly retry_after_seconds?: number;
}

/**
 * The problem document of a refusal; `status` is the one to answer with: 429, or 503 when the store is away and the rule
 * says deny (R41). A cost that can never pass has a type of its own, since waiting does not help (R9, known failure 4).
 *
 * @throws RangeError when the decision allows: that is a bug of the caller, not a denial.
 */
export function denialProblem(decision: Decision): DenialProblem {
  if (decision.allowed) throw new RangeError('an allowed decision has no problem document');
  const violated = decision.policies.filter((policy) => !policy.allowed).map((policy) => policy.policy);
  const seconds = retryAfterSeconds(decision);
  return {
    ...describe(decision, seconds),
    'violated-policies': violated,
    reason: decision.reason,
    ...(seconds === undefined ? {} : { retry_after_seconds: seconds }),
  };
}

function describe(decision: Decision, seconds: number | undefined): Pick<DenialProblem, 'type' | 'title' | 'status' | 'detail'> {
  if (decision.reason === 'store_unavailable') {
    return {
      type: `${REGISTRY}#temporary-reduced-capacity`,
      title: 'Temporary Reduced Capacity',
      status: 503,
      detail: 'The rate limit of this request cannot be checked at the moment, and it is refused without.',
    };
  }
  const limit = decision.deciding?.limit;
  if (decision.reason === 'cost_exceeds_limit') {
    return {
      type: 'urn:sluice:problem:cost-exceeds-limit',
      title: 'Cost Exceeds Limit',
      status: 429,
      detail: `A cost of ${decision.cost} is above ${limit === undefined ? 'the limit' : `the limit of ${limit}`}; no waiting helps.`,
    };
  }
  return {
    type: `${REGISTRY}#quota-exceeded`,
    title: 'Too Many Requests',
    status: 429,
    detail: `The quota${limit === undefined ? '' : ` of ${limit}`} is used up${seconds === undefined ? '.' : `; retry after ${seconds} s.`}`,
  };
}
