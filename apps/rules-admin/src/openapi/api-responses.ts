import { applyDecorators, type Type } from '@nestjs/common';
import { ApiCreatedResponse, ApiExtraModels, ApiHeader, ApiNoContentResponse, ApiOkResponse, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { ProblemSchema } from './problem.schema.js';

const MEANINGS = {
  400: 'The request is malformed; `errors` points at what is wrong. Nothing was changed.',
  401: 'No valid bearer token.',
  403: 'The role of the token does not reach so far.',
  404: 'There is no such resource.',
  409: 'Another resource stands in the way. Nothing was changed.',
  412: 'The precondition does not hold, or is missing. Nothing was changed; `type` and `detail` say how to go on.',
  413: 'The body is larger than 64 KiB; for a set of rules, than 8 MiB.',
  415: 'The body is not application/json.',
  422: 'The Idempotency-Key was used for another request. Nothing was changed.',
  429: 'Too many requests with a token that is not valid came from this address, or from all together. A valid token passes at any time; one that another replica issued just now does within a second.',
  503: 'The database cannot be reached now.',
} as const;

type ProblemStatus = keyof typeof MEANINGS;

const RESPONSE_HEADERS: Partial<Record<ProblemStatus, Record<string, object>>> = {
  401: { 'WWW-Authenticate': { description: 'Which scheme to use.', schema: { type: 'string', example: 'Bearer realm="sluice-admin"' } } },
  403: { 'WWW-Authenticate': { description: 'That the role does not reach (RFC 6750).', schema: { type: 'string', example: 'Bearer realm="sluice-admin", error="insufficient_scope"' } } },
  429: { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 } } },
  503: { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 } } },
};

const TAG = { description: 'Strong tag of the state; for If-Match and If-None-Match.', schema: { type: 'string', example: '"v2"' } } as const;

/** The `Location` of what was created. */
export const LOCATION_HEADER = { Location: { description: 'Where it is.', schema: { type: 'string' } } } as const;

/** The `ETag` of an answer. */
export const ETAG_HEADER = { ETag: TAG } as const;

/** Whoever may be asked for a token may be told that its role does not reach, or that too many of his were none (R62). */
function withDenials(statuses: readonly ProblemStatus[]): readonly ProblemStatus[] {
  return statuses.includes(401) ? [...statuses, 403, 429] : statuses;
}

/** Problems that an operation can answer with. */
export function ApiProblems(...statuses: readonly ProblemStatus[]): MethodDecorator {
  return applyDecorators(
    ApiExtraModels(ProblemSchema),
    ...withDenials(statuses).map((status) =>
      ApiResponse({
        status,
        description: MEANINGS[status],
        headers: RESPONSE_HEADERS[status] ?? {},
        content: { 'application/problem+json': { schema: { $ref: getSchemaPath(ProblemSchema) } } },
      }),
    ),
  );
}

const IF_NONE_MATCH = ApiHeader({ name: 'If-None-Match', required: false, description: 'Tags of states that the caller holds; 304 when one of them is current (weak comparison).', schema: { type: 'string' } });

/** A read that answers 304 to who holds the state. */
export function ApiConditionalRead(...further: readonly ProblemStatus[]): MethodDecorator {
  const statuses: readonly ProblemStatus[] = further.length > 0 ? further : [400, 401, 404, 503];
  return applyDecorators(IF_NONE_MATCH, ApiResponse({ status: 304, description: 'The caller holds the current state.', headers: { ...ETAG_HEADER } }), ApiProblems(...statuses));
}

/** The `Link` of a page. */
export const LINK_HEADER = { Link: { description: 'The next page, rel="next"; absent on the last (RFC 8288).', schema: { type: 'string' } } } as const;

/** One page of a list. */
export function ApiPage(type: Type): MethodDecorator {
  return applyDecorators(ApiOkResponse({ type, description: 'One page, as of one commit.', headers: { ...ETAG_HEADER, ...LINK_HEADER } }), ApiConditionalRead(400, 401, 503));
}

// Without an example: Swagger UI would fill it in, and a rule could not be created there.
const IF_MATCH = ApiHeader({ name: 'If-Match', required: false, description: 'Tags of the versions that may be changed, such as `"v1"`, or `*` for whichever is there. Weak tags never match.', schema: { type: 'string' } });

/** A write under a precondition: 200, 201, 412 (R51). */
export function ApiConditionalWrite(type: Type, ...further: readonly ProblemStatus[]): MethodDecorator {
  return applyDecorators(
    IF_MATCH,
    ApiHeader({ name: 'If-None-Match', required: false, description: '`*` creates, and only that.', schema: { type: 'string', enum: ['*'] } }),
    ApiOkResponse({ type, description: 'Replaced; or it was the same already, and the version stays.', headers: ETAG_HEADER }),
    ApiCreatedResponse({ type, description: 'Created.', headers: { ...ETAG_HEADER, ...LOCATION_HEADER } }),
    ApiProblems(400, 401, 412, 413, 415, 503, ...further),
  );
}

/** A change of what exists under a precondition: 200, 404, 412. */
export function ApiConditionalChange(type: Type): MethodDecorator {
  return applyDecorators(
    IF_MATCH,
    ApiOkResponse({ type, description: 'Changed; or it was so already, and the version stays.', headers: ETAG_HEADER }),
    ApiProblems(400, 401, 404, 412, 413, 415, 503),
  );
}

/** A deletion under a precondition. */
export function ApiConditionalRemoval(...further: readonly ProblemStatus[]): MethodDecorator {
  return applyDecorators(IF_MATCH, ApiNoContentResponse({ description: 'Deleted.' }), ApiProblems(400, 401, 404, 412, 503, ...further));
}
