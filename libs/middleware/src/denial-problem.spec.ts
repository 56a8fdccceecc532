import { decisionOver, policyOutcome, refusal } from '../test/decision-fixture.js';
import { denialProblem } from './denial-problem.js';

describe('R70 problem document of a refusal', () => {
  it('names the quota, the policies that refuse and the wait', () => {
    const refusing = policyOutcome({ policy: 'search', allowed: false, remaining: 0, retryMs: 6100, reason: 'quota' });
    const decision = decisionOver([refusing, policyOutcome({ policy: 'other' })], { retryAfterMs: 6100 });
    expect(denialProblem(decision)).toEqual({
      type: 'https://iana.org/assignments/http-problem-types#quota-exceeded',
      title: 'Too Many Requests',
      status: 429,
      detail: 'The quota of 5 is used up; retry after 7 s.',
      'violated-policies': ['search'],
      reason: 'quota',
      retry_after_seconds: 7,
    });
  });

  it('R9 has a type of its own for a cost that can never pass, without a wait', () => {
    const problem = denialProblem({ ...refusal(-1, { reason: 'cost_exceeds_limit' }), retryAfterMs: undefined, cost: 6 });
    expect(problem).toMatchObject({ type: 'urn:sluice:problem:cost-exceeds-limit', status: 429, reason: 'cost_exceeds_limit' });
    expect(problem.detail).toContain('6 is above the limit of 5');
    expect(problem).not.toHaveProperty('retry_after_seconds');
  });

  it('R41 is 503 when the store is away', () => {
    const away = decisionOver([policyOutcome({ allowed: false, reason: 'store_unavailable' })]);
    expect(denialProblem(away)).toMatchObject({
      type: 'https://iana.org/assignments/http-problem-types#temporary-reduced-capacity',
      status: 503,
      retry_after_seconds: 1,
    });
  });

  it('R45 a decision that allows has none: asking is a bug, and bugs throw', () => {
    expect(() => denialProblem(decisionOver([policyOutcome()]))).toThrow(RangeError);
  });
});
