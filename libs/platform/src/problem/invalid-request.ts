import { type FieldFault, problem, type Problem, problemType } from './problem.js';

/** 400 with the fields that are wrong. */
export function invalidRequest(errors: readonly FieldFault[], detail = 'The request is not valid; see errors.'): Problem {
  return problem(400, { type: problemType('invalid-request'), title: 'Invalid request', detail, errors });
}
