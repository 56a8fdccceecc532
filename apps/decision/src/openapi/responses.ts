import type { OpenAPIObject } from '@nestjs/swagger';
import { ref, type SCHEMAS } from './schemas.js';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
export type Responses = Operation['responses'];
type Headers = Readonly<Record<string, { readonly description: string; readonly required?: boolean; readonly schema: object }>>;

const integer = { type: 'integer', minimum: 0 };
const RETRY = { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 } };

/** There on every answer that a handler gives. */
const ALWAYS: Headers = { 'X-Request-Id': { description: 'What the log has this request under.', schema: { type: 'string' } } };

/** The fields of a decision (R70); absent where no rule applies. */
export const LIMIT_HEADERS: Headers = {
  'X-RateLimit-Limit': { required: false, description: 'Limit of the deciding policy.', schema: integer },
  'X-RateLimit-Remaining': { required: false, description: 'Permits left of it; a hint of this node where the rule leases.', schema: integer },
  'X-RateLimit-Reset': { required: false, description: 'When it is wholly free again, seconds since the epoch.', schema: integer },
  'RateLimit-Policy': { required: false, description: 'Every policy that applied (draft-ietf-httpapi-ratelimit-headers-10).', schema: { type: 'string', example: '"default";q=5;w=60' } },
  RateLimit: { required: false, description: 'What is left of each, the deciding one first (same draft).', schema: { type: 'string', example: '"default";r=4;t=12' } },
  'Retry-After': { ...RETRY, required: false, description: 'On a refusal, where waiting helps: seconds to wait.' },
};
const NO_STORE: Headers = { 'Cache-Control': { description: 'No cache may keep it.', schema: { type: 'string', enum: ['no-store'] } } };

/** An answer with a JSON body. */
export function json(description: string, schema: keyof typeof SCHEMAS, headers: Headers = {}): Responses[string] {
  return { description, headers: { ...ALWAYS, ...NO_STORE, ...headers }, content: { 'application/json': { schema: ref(schema) } } };
}

/** An answer without a body, or with one that is nobody's promise. */
export function empty(description: string, headers: Headers = {}): Responses[string] {
  return { description, headers: { ...ALWAYS, ...NO_STORE, ...headers } };
}

const MEANINGS = {
  400: 'The request is malformed; `errors` points at what is wrong. Nothing was charged.',
  401: 'Whoever asks may not: show a bearer token of this service or a client certificate.',
  404: 'There is no such reservation to settle: it was settled before, has expired, or never was.',
  413: 'The body is too large.',
  415: 'The body is not application/json.',
  503: 'There are no rules yet, the counters cannot be reached for what was asked, or the service is stopping; try again.',
} as const;
const OF_STATUS: Partial<Record<keyof typeof MEANINGS, Headers>> = {
  401: { 'WWW-Authenticate': { description: 'Which scheme to use.', schema: { type: 'string', example: 'Bearer realm="sluice"' } } },
  503: { 'Retry-After': RETRY },
};

/** Problems that an operation can answer with. */
export function problems(...statuses: readonly (keyof typeof MEANINGS)[]): Responses {
  return Object.fromEntries(
    statuses.map((status) => [status, { description: MEANINGS[status], headers: { ...ALWAYS, ...OF_STATUS[status] }, content: { 'application/problem+json': { schema: ref('Problem') } } }]),
  );
}

/** A refusal of forward-auth. */
export function denial(description: string, schema: 'Denial' | 'Problem' = 'Denial'): Responses[string] {
  const headers: Headers = {
    ...ALWAYS,
    ...NO_STORE,
    ...LIMIT_HEADERS,
    'WWW-Authenticate': { required: false, description: 'Where who asks, or the API key, is not known.', schema: { type: 'string' } },
    'Sluice-Status': { description: 'The status that the client should get: 429, 503, 401 or 400.', schema: { type: 'integer' } },
  };
  return { description, headers, content: { 'application/problem+json': { schema: ref(schema) } } };
}
