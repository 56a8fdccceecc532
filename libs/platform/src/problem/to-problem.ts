import { HttpException } from '@nestjs/common';
import { frameworkProblem } from './framework-problem.js';
import { problem, type ProblemAnswer } from './problem.js';

/** Turns an app's own errors into problems; undefined leaves an error to the next translator. `method` is that of the request. */
export type ProblemTranslator = (error: unknown, method: string) => ProblemAnswer | undefined;

/** What a client may know of a fault in the service: that there was one. */
export const INTERNAL_PROBLEM: ProblemAnswer = {
  problem: problem(500, { detail: 'The service failed to answer this request. The fault is logged under the request id.' }),
  headers: {},
};

interface StatusError {
  readonly statusCode: number;
  readonly message: string;
}

/**
 * Fastify gives its own errors a `statusCode` (malformed JSON 400, body too large 413, media type 415, bad URL 400). By shape: they
 * are no native errors, and where tests run not even instances of Error.
 */
function isClientError(error: unknown): error is StatusError {
  if (typeof error !== 'object' || error === null || !('statusCode' in error) || !('message' in error)) return false;
  return typeof error.message === 'string' && typeof error.statusCode === 'number' && error.statusCode >= 400 && error.statusCode < 500;
}

/** The answer to any error. Whatever is no client's fault and has no translator is a bare 500 without internals. */
export function toProblem(error: unknown, translators: readonly ProblemTranslator[] = [], method = 'GET'): ProblemAnswer {
  for (const translate of translators) {
    const answer = translate(error, method);
    if (answer !== undefined) return answer;
  }
  if (isProblemAnswer(error)) return error;
  if (error instanceof HttpException) {
    const status = error.getStatus();
    return status >= 500 && status !== 503 ? INTERNAL_PROBLEM : { problem: problem(status, { detail: error.message }), headers: {} };
  }
  if (isClientError(error)) return { problem: frameworkProblem(error) ?? problem(error.statusCode, { detail: error.message }), headers: {} };
  return INTERNAL_PROBLEM;
}

// By shape and not by class: an app may hold two copies of this library.
function isProblemAnswer(error: unknown): error is Error & ProblemAnswer {
  return error instanceof HttpException && 'problem' in error && 'headers' in error;
}
