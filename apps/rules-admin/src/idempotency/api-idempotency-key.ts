import { applyDecorators } from '@nestjs/common';
import { ApiHeader, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { ApiProblems } from '../openapi/api-responses.js';
import { ProblemSchema } from '../openapi/problem.schema.js';

/** With `request-in-progress`; not every 409 of an operation need be of that kind. */
const RETRY_AFTER = { required: false, description: 'With `request-in-progress`: seconds to wait.', schema: { type: 'integer', minimum: 1 } } as const;

/**
 * The `Idempotency-Key` of an operation, with the problems that it brings. Its success should show {@link REPLAYED_HEADER}.
 *
 * @param conflict what else a 409 of the operation means
 */
export function ApiIdempotencyKey({ required, conflict }: { readonly required: boolean; readonly conflict?: string }): MethodDecorator {
  const running = 'The first request with this Idempotency-Key is still being carried out (`request-in-progress`).';
  return applyDecorators(
    ApiHeader({
      name: 'Idempotency-Key',
      required,
      description: 'One string of 1 to 255 characters, quoted or bare: new for each new request, and the same when it is sent again. Kept for a day unless configured.',
      schema: { type: 'string', example: '"8e03978e-40d5-43dd-bc93-6894a57f9324"' },
    }),
    ApiProblems(422),
    ApiResponse({
      status: 409,
      description: conflict === undefined ? running : `${running} ${conflict}`,
      headers: { 'Retry-After': RETRY_AFTER },
      content: { 'application/problem+json': { schema: { $ref: getSchemaPath(ProblemSchema) } } },
    }),
  );
}

/** On answers that were given before. */
export const REPLAYED_HEADER = { 'Idempotency-Replayed': { required: false, description: '`true`: this is the answer of the first time.', schema: { type: 'string' } } } as const;
