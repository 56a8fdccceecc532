import { policyOutcome } from '../test/decision-fixture.js';
import { quotaItem } from './quota-item.js';

describe('R70 the part of a policy that does not change', () => {
  it('is written once', () => {
    const outcome = policyOutcome({ ruleId: 'once' });
    expect(quotaItem(outcome)).toBe(quotaItem(policyOutcome({ ruleId: 'once', remaining: 1 })));
  });

  it.each([
    ['the limit', { limit: 7 }, '"default";q=7;w=60'],
    ['the window', { windowMs: 1000 }, '"default";q=5;w=1'],
    ['the name', { policy: 'other' }, '"other";q=5;w=60'],
  ])('is written anew when %s of the same rule is another one, and back', (_what, change, text) => {
    const before = { ruleId: 'changed', limit: 5, windowMs: 60_000, policy: 'default' };
    expect(quotaItem(policyOutcome(before)).quota).toBe('"default";q=5;w=60');
    expect(quotaItem(policyOutcome({ ...before, ...change })).quota).toBe(text);
    expect(quotaItem(policyOutcome(before)).quota).toBe('"default";q=5;w=60');
  });

  it('tells an override from its rule', () => {
    expect(quotaItem(policyOutcome({ ruleId: 'r', limit: 5, windowMs: 60_000 })).quota).toBe('"default";q=5;w=60');
    expect(quotaItem(policyOutcome({ ruleId: 'r', limit: 50, windowMs: 60_000, overrideId: 'o' })).quota).toBe('"default";q=50;w=60');
  });
});
