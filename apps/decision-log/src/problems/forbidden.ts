import { problem, ProblemException, problemType } from '@sluice/platform';

/** Ends a request with 403: who asks may ask, and not for this. */
export function forbidden(detail: string): ProblemException {
  return new ProblemException(problem(403, { type: problemType('forbidden'), title: 'Forbidden', detail }));
}
