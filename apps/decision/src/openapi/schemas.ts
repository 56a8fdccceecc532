import type { OpenAPIObject } from '@nestjs/swagger';
import { BATCH_BODY_LIMIT } from '../check/batch-route.js';
import { MAX_CHECKS } from '../check/batch-request.js';
import { MAX_DESCRIPTORS, MAX_KEY_LENGTH, MAX_VALUE_BYTES } from '../check/descriptors.js';

type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;
type Schema = Schemas[string];

export function ref(name: keyof typeof SCHEMAS): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}

const count = { type: 'integer', format: 'int64', minimum: 0 } as const;
const seconds = (description: string, minimum = 0): Schema => ({ type: 'integer', minimum, description });
const time = (description: string): Schema => ({ type: 'string', format: 'date-time', description, example: '2026-11-30T14:00:00.250Z' });
const REASON = { type: 'string', enum: ['ok', 'no_rule', 'quota', 'cost_exceeds_limit', 'store_unavailable'] };
const SOURCE = { type: 'string', description: 'Where the permit or the refusal came from: a lease of this node, a trip to the counters, the fallback while they are away, or no rule.', enum: ['local', 'store', 'fallback', 'none'] };
const POLICY = { policy: { type: 'string', example: 'default' }, rule_id: { type: 'string', example: 'free-default' }, rule_version: { type: 'integer', format: 'int64', minimum: 1, example: 3 }, limit: { ...count, example: 5 } };
const HINT = 'Permits left. A hint where the rule leases permits to its nodes: this node\'s own view, which may be below or above what the fleet has left (R70).';
const DECISION_ID = { type: 'string', minLength: 1, maxLength: 128, description: 'The `decision_id` of a check with `reserve`. Whoever knows it may settle: keep it out of logs and URLs.', example: 'Kq3xv0b2T8mYk1uWc5nZlA' };

const PROBLEM: Schema = {
  type: 'object',
  description: 'A problem document (RFC 9457).',
  required: ['type', 'title', 'status', 'request_id'],
  properties: {
    type: { type: 'string', format: 'uri', description: '`about:blank`, or `urn:sluice:problem:` with invalid-request, malformed-json, unsupported-media-type, unknown-decision.', example: 'urn:sluice:problem:invalid-request' },
    title: { type: 'string', example: 'Invalid request' },
    status: { type: 'integer', minimum: 400, maximum: 599, example: 400 },
    detail: { type: 'string' },
    errors: { type: 'array', maxItems: 200, description: 'Each field that is wrong.', items: { $ref: '#/components/schemas/FieldFault' } },
    request_id: { type: 'string', description: 'What the log has this request under; also in X-Request-Id.' },
  },
};

/** The bodies of the API. Each object of a request is closed: what is not known is refused. */
export const SCHEMAS = {
  Descriptor: {
    type: 'object',
    additionalProperties: false,
    required: ['key', 'value'],
    properties: {
      key: { type: 'string', minLength: 1, maxLength: MAX_KEY_LENGTH, description: 'Name of the request attribute: `plan`, `endpoint`, `key_id`, `tenant_id`, `user_id`, `ip`, or any other that rules name; not `domain`. Each once.', example: 'plan' },
      value: { type: 'string', maxLength: MAX_VALUE_BYTES, description: `At most ${MAX_VALUE_BYTES} bytes of UTF-8.`, example: 'free' },
    },
  },
  CheckRequest: {
    type: 'object',
    additionalProperties: false,
    required: ['domain', 'descriptors'],
    properties: {
      domain: { type: 'string', minLength: 1, maxLength: 128, description: 'Request attribute `domain`.', example: 'api' },
      descriptors: { type: 'array', minItems: 1, maxItems: MAX_DESCRIPTORS, items: { $ref: '#/components/schemas/Descriptor' }, example: [{ key: 'plan', value: 'free' }, { key: 'key_id', value: 'k1' }, { key: 'endpoint', value: 'GET /v1/items/7' }] },
      cost: { ...count, maximum: Number.MAX_SAFE_INTEGER, default: 1, description: 'Permits that the request takes; 0 only looks.' },
      peek: { type: 'boolean', default: false, description: 'Only asks what a check would answer, and charges nothing (R9).' },
      reserve: { type: 'boolean', default: false, description: '`cost`, at least 1, is an estimate, to be settled by the `decision_id` of the answer (R14).' },
      reserve_seconds: { type: 'number', minimum: 0.001, maximum: 86_400, description: 'With `reserve`: how long the reservation waits for its settlement; the estimate stands afterwards. In whole milliseconds. Default: the longest window that it is charged to, 1 s to 1 h.' },
    },
  },
  PolicyAnswer: {
    type: 'object',
    description: 'One limit that applied.',
    additionalProperties: false,
    required: ['policy', 'rule_id', 'rule_version', 'limit', 'window_seconds', 'allowed', 'reason', 'remaining', 'reset_after_seconds', 'source'],
    properties: {
      ...POLICY,
      window_seconds: { type: 'number', minimum: 0, example: 60 },
      override_id: { type: 'string', description: 'The override that is in force instead of the rule\'s own limit.' },
      allowed: { type: 'boolean' },
      reason: REASON,
      remaining: { ...count, description: HINT },
      reset_after_seconds: seconds('Until the counter is wholly free again, rounded up.'),
      retry_after_seconds: seconds('Where this limit refuses and waiting helps: until it would allow, rounded up.', 1),
      source: SOURCE,
    },
  },
  CheckAnswer: {
    type: 'object',
    description: 'A decision. What a rule says is absent where none applies.',
    additionalProperties: false,
    required: ['overallCode', 'allowed', 'reason', 'delay_ms', 'cost', 'source', 'snapshot_version', 'checked_at', 'policies', 'shadow'],
    properties: {
      overallCode: { type: 'string', enum: ['OK', 'OVER_LIMIT'], description: 'The decision; the status is 200 either way.' },
      limitRemaining: { ...count, description: `Of the deciding limit. ${HINT}` },
      resetAfterSeconds: seconds('Of the deciding limit; never before `retry_after_seconds`.'),
      allowed: { type: 'boolean' },
      reason: REASON,
      ...POLICY,
      retry_after_seconds: seconds('On a refusal, where waiting helps: after it such a request passes. Also in Retry-After.', 1),
      delay_ms: { type: 'number', minimum: 0, description: 'Shaper: hold the request back this long; else 0.' },
      cost: count,
      source: SOURCE,
      snapshot_version: { ...count, description: 'Version of the rules that decided.' },
      checked_at: time('When it was decided, by the clock of the counters.'),
      decision_id: { ...DECISION_ID, description: 'With `reserve`, where the request was charged: settle or refund it by this id, on any node. Whoever knows it may settle: keep it out of logs and URLs.' },
      decision_expires_at: time('Until then at least the reservation can be settled.'),
      policies: { type: 'array', description: 'Every limit that applied.', items: { $ref: '#/components/schemas/PolicyAnswer' } },
      shadow: { type: 'array', description: 'What rules in shadow mode would have said, as far as that is known without a trip; it changes nothing (R58).', items: { $ref: '#/components/schemas/PolicyAnswer' } },
    },
  },
  BatchRequest: {
    type: 'object',
    additionalProperties: false,
    required: ['checks'],
    description: `At most ${BATCH_BODY_LIMIT} bytes.`,
    properties: { checks: { type: 'array', minItems: 1, maxItems: MAX_CHECKS, items: { $ref: '#/components/schemas/CheckRequest' } } },
  },
  BatchAnswer: {
    type: 'object',
    additionalProperties: false,
    required: ['answers'],
    properties: { answers: { type: 'array', description: 'One to one with the checks.', items: { $ref: '#/components/schemas/CheckAnswer' } } },
  },
  SettleRequest: {
    type: 'object',
    additionalProperties: false,
    required: ['decision_id', 'cost'],
    properties: { decision_id: DECISION_ID, cost: { ...count, maximum: Number.MAX_SAFE_INTEGER, description: 'The true amount; 0 gives all back.', example: 3 } },
  },
  RefundRequest: { type: 'object', additionalProperties: false, required: ['decision_id'], properties: { decision_id: DECISION_ID } },
  Settlement: {
    type: 'object',
    description: 'Permits, summed over the limits of the reservation.',
    additionalProperties: false,
    required: ['status', 'charged', 'returned', 'indebted'],
    properties: {
      status: { type: 'string', enum: ['settled'] },
      charged: { ...count, description: 'What stands charged now.' },
      returned: { ...count, description: 'What went back; less than the difference where the window of the charge is over.' },
      indebted: { ...count, description: 'What was charged beyond the estimate, as debt that later requests pay off.' },
    },
  },
  Limits: {
    type: 'object',
    additionalProperties: false,
    required: ['limits'],
    properties: {
      limits: {
        type: 'array',
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['scope', 'limit', 'remaining', 'reset_at'],
          properties: { scope: { type: 'string', description: 'Id of the rule.', example: 'free-default' }, limit: { ...count, example: 5 }, remaining: { ...count, description: 'Permits left by the shared counter, leases of nodes counted as used.', example: 4 }, reset_at: time('When the counter is wholly free again; now if it is.') },
        },
      },
    },
  },
  FieldFault: {
    type: 'object',
    required: ['pointer', 'detail'],
    properties: { pointer: { type: 'string', description: 'RFC 6901 pointer into the body, empty for the body as a whole; `/query/name` for parameters.', example: '/checks/3/cost' }, detail: { type: 'string', example: 'must be an integer from 0 to 9007199254740991' } },
  },
  Problem: PROBLEM,
  Denial: {
    type: 'object',
    description: 'A refusal, as a problem document (RFC 9457) for the client.',
    required: ['type', 'title', 'status', 'detail'],
    properties: {
      type: { type: 'string', format: 'uri' },
      title: { type: 'string' },
      status: { type: 'integer', description: 'What the client should get; also in Sluice-Status.' },
      detail: { type: 'string' },
      'violated-policies': { type: 'array', items: { type: 'string' } },
      reason: REASON,
      retry_after_seconds: seconds('The same as Retry-After; absent when no waiting helps.', 1),
      request_id: { type: 'string' },
    },
  },
} as const satisfies Schemas;
