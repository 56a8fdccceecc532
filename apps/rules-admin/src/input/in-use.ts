import { problem, ProblemException, problemType } from '@sluice/platform';

/**
 * Ends a request with 409: `what` cannot go while `by` refer to it.
 *
 * @param advice what to do, in sentences
 */
export function inUse(what: string, by: string, advice?: string): ProblemException {
  return new ProblemException(problem(409, { type: problemType('in-use'), title: 'In use', detail: `${what} is in use by ${by}.${advice === undefined ? '' : ` ${advice}`}` }));
}
