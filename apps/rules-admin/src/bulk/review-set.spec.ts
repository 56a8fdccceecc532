import { atOnce, type Rule } from '@sluice/rules';
import { reviewSet } from './review-set.js';

const rule = (n: number, fields: Partial<Rule>): Rule => ({ version: 1, rule_id: `r${n}`, limit: 5, window_seconds: 1, ...fields });

describe('R57 the review of a whole set', () => {
  it('does not end with the first plan and policy, and points into the set', () => {
    const rules = [rule(0, { plan: 'free' }), rule(1, { plan: 'pro' }), rule(2, { plan: 'free' }), rule(3, { plan: 'pro' }), rule(4, { plan: 'pro', policy: 'daily' })];
    expect(atOnce(reviewSet(rules)).faults.map(({ pointer }) => pointer)).toEqual(['/rules/2', '/rules/3']);
  });

  it('is bounded: a set of rules that all have to be compared with each other is a fault of the set, over all its policies together', () => {
    const entangled = Array.from({ length: 64 }, (_, n) => rule(n, { policy: `p${n % 2}`, endpoint: `/${Array.from({ length: 5 }, (_each, at) => ((n >> (at + 1)) & 1 ? '{p}' : `s${at}`)).join('/')}`, descriptors: { user_id: '*' } }));
    expect(atOnce(reviewSet(entangled)).faults).toEqual([]);
    const refused = atOnce(reviewSet(entangled, 300));
    expect(refused).toEqual({ faults: [{ pointer: '/rules', detail: expect.stringContaining('too many rules with `*` descriptors') }], warnings: [] });
  });
});
