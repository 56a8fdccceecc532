import { problem, ProblemException, problemType } from '@sluice/platform';

/** Ends a promotion with 409: the rule is not what the proposal was made for. */
export function ruleChanged(ruleId: string, baseVersion: number, currentVersion: number): ProblemException {
  const detail = `The proposal was made for version ${baseVersion} of rule ${ruleId}, which is at version ${currentVersion} now. Look at what it is now, and put the proposal again to promote it. Nothing was changed.`;
  return new ProblemException(problem(409, { type: problemType('rule-changed'), title: 'Rule changed', detail, base_version: baseVersion, current_version: currentVersion }));
}

/** Ends a promotion with 409: there is nothing to promote. */
export function notInShadow(ruleId: string): ProblemException {
  return new ProblemException(problem(409, { type: problemType('not-in-shadow'), title: 'Not in shadow', detail: `Rule ${ruleId} is not in shadow, so that there is nothing to promote. A proposal of it is promoted at /v1/rules/${ruleId}/proposal:promote.` }));
}
