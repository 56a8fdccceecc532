import { problem, ProblemException, problemType } from '@sluice/platform';

/** Ends a request with 404: `what` is a resource with its id, `Rule free-default`. */
export function notFound(what: string): ProblemException {
  return nothingThere(`${what} does not exist.`);
}

/** As {@link notFound}, in a sentence of its own. */
export function nothingThere(detail: string): ProblemException {
  return new ProblemException(problem(404, { type: problemType('not-found'), title: 'Not found', detail }));
}
