import type { OpenAPIObject } from '@nestjs/swagger';
import { json, LIMIT_HEADERS, problems, type Responses } from './responses.js';
import { ref, type SCHEMAS } from './schemas.js';

type Body = NonNullable<NonNullable<OpenAPIObject['paths'][string]['post']>['requestBody']>;

const SERVICE = [{ token: [] }, {}];
const CHECK = { domain: 'api', descriptors: [{ key: 'plan', value: 'free' }, { key: 'key_id', value: 'k1' }, { key: 'endpoint', value: 'GET /v1/items/7' }] };
const ID = 'Kq3xv0b2T8mYk1uWc5nZlA';

function body(schema: keyof typeof SCHEMAS, examples: Readonly<Record<string, object>>): Body {
  const named = Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }]));
  return { required: true, content: { 'application/json': { schema: ref(schema), examples: named } } };
}

function post(operationId: string, summary: string, description: string, requestBody: Body, responses: Responses): OpenAPIObject['paths'][string] {
  return { post: { operationId, summary, description, tags: ['decisions'], security: SERVICE, requestBody, responses } };
}

/** What services ask (R72, R14). */
export const CHECK_PATHS: OpenAPIObject['paths'] = {
  '/v1/ratelimit:check': post(
    'checkRateLimit',
    'Decide a request, and charge it if it passes',
    'The answer is 200 for OK and for OVER_LIMIT: the check succeeded, and `overallCode` is the decision. Without the counters each rule\'s fallback decides (`source: fallback`). `limitRemaining` and `remaining` are hints of this node where a rule leases permits.',
    body('CheckRequest', { check: CHECK, peek: { ...CHECK, cost: 5, peek: true }, reserve: { ...CHECK, cost: 100, reserve: true, reserve_seconds: 60 } }),
    { 200: json('The decision.', 'CheckAnswer', LIMIT_HEADERS), ...problems(400, 401, 413, 415, 503) },
  ),
  '/v1/ratelimit:batch': post(
    'checkRateLimits',
    'Decide up to 1,000 requests, each by itself',
    'In their order, and with one trip to the counters for all that need one. A malformed check refuses the batch, with pointers such as `/checks/3/cost`, and nothing is charged. There are no RateLimit fields.',
    body('BatchRequest', { two: { checks: [CHECK, { ...CHECK, cost: 2 }] } }),
    { 200: json('The decisions, one to one.', 'BatchAnswer'), ...problems(400, 401, 413, 415, 503) },
  ),
  '/v1/ratelimit:settle': post(
    'settleReservation',
    'Settle a reservation with the true amount',
    'Once, on any node: what was reserved too much goes back as far as its window is not over, what was reserved too little is charged beyond the limit too, as debt. A second settlement is 404. A reservation that a node made while the counters were away is known to that node alone. After a 503 the same request may be sent again, to the same node if it can be.',
    body('SettleRequest', { settle: { decision_id: ID, cost: 42 } }),
    { 200: json('It is settled.', 'Settlement'), ...problems(400, 401, 404, 413, 415, 503) },
  ),
  '/v1/ratelimit:refund': post(
    'refundReservation',
    'Give a reservation back',
    'Settles it with 0.',
    body('RefundRequest', { refund: { decision_id: ID } }),
    { 200: json('It is settled.', 'Settlement'), ...problems(400, 401, 404, 413, 415, 503) },
  ),
};
