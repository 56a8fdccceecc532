import { problem, ProblemException, problemType } from '@sluice/platform';

/** Ends a request with 409: the rule may be published only after the other one is changed or gone. `detail` is about the rule as a whole. */
export function ruleConflict(ruleId: string, conflict: { readonly ruleId: string; readonly detail: string }): ProblemException {
  return new ProblemException(
    problem(409, {
      type: problemType('rule-conflict'),
      title: 'Rule conflict',
      detail: `Rule ${ruleId} ${conflict.detail}. Nothing was changed.`,
      conflicting_rule_id: conflict.ruleId,
      errors: [{ pointer: '', detail: conflict.detail }],
    }),
  );
}
