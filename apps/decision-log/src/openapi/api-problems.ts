import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { ProblemSchema } from './problem.schema.js';

const MEANINGS = {
  400: 'The request is malformed; `errors` points at what is wrong.',
  401: 'No valid bearer token.',
  403: "The role of the token does not reach so far, or a tenant's token asked for what is not its own.",
  404: 'There is no such thing.',
  409: 'Something else stands in the way. Nothing was changed.',
  413: 'The body is too large.',
  415: 'The body is of another media type.',
  422: 'It asks for more than the service will read; `detail` says what to narrow.',
  429: 'Too many requests with a token that is not valid, or too much at once.',
  503: 'The store of decisions, or the control plane, cannot be asked now.',
} as const;

type ProblemStatus = keyof typeof MEANINGS;

const BEARER = { 'WWW-Authenticate': { description: 'Which scheme to use, and what is wrong with the token (RFC 6750).', schema: { type: 'string', example: 'Bearer realm="sluice"' } } };
const RETRY = { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 } } };
const RESPONSE_HEADERS: Partial<Record<ProblemStatus, Record<string, object>>> = { 401: BEARER, 429: RETRY, 503: RETRY };

/** Who may be asked for a token may be told that its role does not reach, that too many of his were none (R62), or that nobody can tell now. */
function withDenials(statuses: readonly ProblemStatus[]): ReadonlySet<ProblemStatus> {
  return new Set(statuses.includes(401) ? [...statuses, 403, 429, 503] : statuses);
}

/** Problems that an operation can answer with. */
export function ApiProblems(...statuses: readonly ProblemStatus[]): MethodDecorator {
  return applyDecorators(
    ApiExtraModels(ProblemSchema),
    ...[...withDenials(statuses)].map((status) =>
      ApiResponse({
        status,
        description: MEANINGS[status],
        headers: RESPONSE_HEADERS[status] ?? {},
        content: { 'application/problem+json': { schema: { $ref: getSchemaPath(ProblemSchema) } } },
      }),
    ),
  );
}
