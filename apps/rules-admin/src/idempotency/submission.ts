import { canonicalText } from '@sluice/rules';
import type { FastifyRequest } from 'fastify';
import { createHash } from 'node:crypto';
import { currentActing } from '../access/acting.js';
import { invalid } from '../input/invalid.js';
import { readIdempotencyKey } from './idempotency-key.js';

/** A request that is to be carried out once, however often it is sent (R52). */
export interface Submission {
  readonly actor: string;
  readonly route: string;
  readonly key: string;
  /** SHA-256 of path parameters, query and body in canonical JSON: the order of fields and white space do not count. */
  readonly requestSha256: string;
}

const POINTER = '/header/Idempotency-Key';

/** The submission that a request is; undefined without the header field. @throws ProblemException 400 for a key that is none */
export function submissionOf(request: FastifyRequest): Submission | undefined {
  const field = request.headers['idempotency-key'];
  if (field === undefined) return undefined;
  // Repeated fields are joined by commas, which no bare key has.
  const key = readIdempotencyKey(String(field));
  if (key === undefined) throw invalid([{ pointer: POINTER, detail: 'must be one quoted string, or bare visible ASCII without comma and semicolon, of 1 to 255 characters' }]);
  const { params, query, body } = request;
  const requestSha256 = createHash('sha256').update(canonicalText({ params, query, body })).digest('hex');
  return { actor: currentActing().actor, route: `${request.method} ${request.routeOptions.url}`, key, requestSha256 };
}

/** As {@link submissionOf}, where the field must be there. @throws ProblemException 400 */
export function requiredSubmissionOf(request: FastifyRequest): Submission {
  const submission = submissionOf(request);
  if (submission === undefined) throw invalid([{ pointer: POINTER, detail: 'must be there: a new key, such as a UUID, for each new request, and the same one when you repeat it' }]);
  return submission;
}
