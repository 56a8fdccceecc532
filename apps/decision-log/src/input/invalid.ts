import { type FieldFault, invalidRequest, ProblemException } from '@sluice/platform';

/** Ends a request with 400 and the fields that are wrong. */
export function invalid(errors: readonly FieldFault[]): ProblemException {
  return new ProblemException(invalidRequest(errors));
}
