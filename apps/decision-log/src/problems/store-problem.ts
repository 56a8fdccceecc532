import { problem, type ProblemAnswer, problemType } from '@sluice/platform';
import { QueryTooLarge, StoreUnavailable } from '../store/store-faults.js';

/** 503 while the store cannot be asked, 422 for what it will not read. */
export function storeProblem(error: unknown): ProblemAnswer | undefined {
  if (error instanceof QueryTooLarge) {
    return { problem: problem(422, { type: problemType('query-too-large'), title: 'Query too large', detail: error.message }), headers: {} };
  }
  if (error instanceof StoreUnavailable) {
    const detail = 'The store of decisions cannot be asked now. What is decided meanwhile waits in the stream, and is stored later.';
    return { problem: problem(503, { type: problemType('store-unavailable'), title: 'Store unavailable', detail }), headers: { 'retry-after': '2' } };
  }
  return undefined;
}
