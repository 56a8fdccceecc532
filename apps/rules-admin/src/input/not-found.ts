import { problem, ProblemException, problemType } from '@sluice/platform';

/** Ends a request with 404: `what` is a resource with its id, `Rule free-default`. */
export function notFound(what: string): ProblemException {
  return new ProblemException(problem(404, { type: problemType('not-found'), title: 'Not found', detail: `${what} does not exist.` }));
}
