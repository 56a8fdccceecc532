import { problem, ProblemException, problemType } from '@sluice/platform';

/** Ends a request with 412: its set was not made from the rules that are there. */
export function rulesChanged(base: number, current: number): ProblemException {
  const detail = `Rules were changed after version ${base}, or the version is none of this database. Fetch them (the version now is ${current}), make the set from what is there, and send it with their version as base_version. Nothing was changed.`;
  return new ProblemException(problem(412, { type: problemType('version-mismatch'), title: 'Version mismatch', detail, current_version: current }));
}
