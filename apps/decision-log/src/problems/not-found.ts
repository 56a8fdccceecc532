import { problem, ProblemException, problemType } from '@sluice/platform';

/** Ends a request with 404. */
export function notFound(detail: string): ProblemException {
  return new ProblemException(problem(404, { type: problemType('not-found'), title: 'Not found', detail }));
}
