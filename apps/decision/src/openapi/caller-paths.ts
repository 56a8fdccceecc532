import type { OpenAPIObject } from '@nestjs/swagger';
import { denial, empty, json, LIMIT_HEADERS, problems } from './responses.js';

type PathItem = OpenAPIObject['paths'][string];
type Operation = NonNullable<PathItem['get']>;
type Parameters = NonNullable<Operation['parameters']>;

const query = (name: string, description: string, schema: object = { type: 'string', minLength: 1, maxLength: 1024 }): Parameters[number] => ({ name, in: 'query', required: false, description, schema });
const field = (name: string, description: string): Parameters[number] => ({ name, in: 'header', required: false, description, schema: { type: 'string' } });
const X_API_KEY = field('X-Api-Key', 'The caller\'s API key.');

const LIMITS: PathItem = {
  get: {
    operationId: 'listLimits',
    summary: 'A caller\'s own limits',
    description: 'With `X-Api-Key` the caller\'s own view, counted by the address of this request where a limit counts by `ip`; a service names the caller in the query instead. Reads only (R71).',
    tags: ['limits'],
    security: [{ apiKey: [] }, { token: [] }, {}],
    parameters: [
      query('endpoint', 'Which requests are meant, such as `GET /v1/items/7`.'),
      query('domain', 'Request attribute `domain`.'),
      ...['key_id', 'plan', 'tenant_id', 'user_id', 'ip'].map((name) => query(name, 'Names the caller; for services alone.')),
    ],
    responses: { 200: json('Every limit that applies.', 'Limits'), ...problems(400, 401, 503) },
  },
};

const AUTHORIZE: Omit<Operation, 'operationId'> = {
  summary: 'Forward-auth for nginx, Traefik, Caddy and HAProxy',
  description:
    'By any method; the body is not looked at. The proxy says in X-Original-URI and X-Original-Method, or in X-Forwarded-Uri and X-Forwarded-Method, what is asked for; X-Api-Key names who asks, and X-Forwarded-For from where, as far as `SLUICE_DECISION_TRUSTED_PROXIES`, else `SLUICE_TRUSTED_PROXIES`, believes it (R74, R77).',
  tags: ['forward-auth'],
  security: [{ token: [] }, {}],
  parameters: [
    query('domain', 'Request attribute `domain`.', { type: 'string', minLength: 1, maxLength: 128 }),
    query('rule', 'Request attribute `rule`.', { type: 'string', minLength: 1, maxLength: 128 }),
    query('cost', 'Permits that the request takes; 0 only looks.', { type: 'integer', minimum: 0, default: 1 }),
    query('deny_status', 'Status of a refusal; nginx passes on no other than 401 and 403.', { type: 'integer', enum: [401, 403, 429], default: 429 }),
    query('keys', 'Whether an API key has to be there.', { type: 'string', enum: ['required', 'optional', 'none'], default: 'optional' }),
    query('fields', 'Which fields the proxy writes.', { type: 'string', enum: ['original', 'forwarded'] }),
    query('max_delay_ms', 'What a shaper would hold back for longer is refused at once, and costs nothing.', { type: 'integer', minimum: 0, maximum: 600_000, default: 500 }),
    query('reserve', 'The cost is an estimate, to be settled by the id in Sluice-Decision-Id (R14).', { type: 'boolean', default: false }),
    query('reserve_seconds', 'How long the reservation waits for its settlement.', { type: 'integer', minimum: 1, maximum: 86_400 }),
    ...['X-Original-URI', 'X-Original-Method', 'X-Forwarded-Uri', 'X-Forwarded-Method'].map((name) => field(name, 'What is asked for; the proxy writes it.')),
    field('X-Forwarded-For', 'From where; the proxy writes it.'),
    X_API_KEY,
  ],
  responses: {
    200: empty('It passes; the fields are for the proxy to hand on.', {
      ...LIMIT_HEADERS,
      'Sluice-Key-Id': { required: false, description: 'Id of the API key.', schema: { type: 'string' } },
      'Sluice-Tenant-Id': { required: false, description: 'Its tenant.', schema: { type: 'string' } },
      'Sluice-Plan': { required: false, description: 'The plan of the tenant.', schema: { type: 'string' } },
      'Sluice-Decision-Id': { required: false, description: 'With reserve: settle it by this id. A secret.', schema: { type: 'string' } },
      'Sluice-Decision-Expires-At': { required: false, description: 'Until then at least it can be settled.', schema: { type: 'string', format: 'date-time' } },
    }),
    ...problems(503),
    400: denial('The request of the proxy is malformed; `errors` points at what is wrong. Nothing was charged.', 'Problem'),
    401: denial('The API key is missing or not valid, whoever asks may not, or it is refused and `deny_status` is 401.'),
    403: denial('It is refused, and `deny_status` is 403.'),
    429: denial('It is refused.'),
  },
};

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

/** What callers and their proxies ask. */
export const CALLER_PATHS: OpenAPIObject['paths'] = {
  '/v1/limits': LIMITS,
  '/v1/authorize': Object.fromEntries(METHODS.map((method) => [method, { ...AUTHORIZE, operationId: `authorize${method.charAt(0).toUpperCase()}${method.slice(1)}` }])),
};
