import type { Snapshot } from '@sluice/rules';
import { plansNamedBy, proposedSnapshot } from './proposed-snapshot.js';

const inForce: Snapshot = {
  version: 7,
  plans: [{ plan_id: 'free', default_limit: { limit: 5, window_seconds: 1 } }],
  rules: [
    { rule_id: 'a', version: 3, plan: 'free', limit: 10, window_seconds: 60 },
    { rule_id: 'b', version: 1, endpoint: 'GET /b', limit: 10, window_seconds: 60 },
  ],
  overrides: [{ override_id: 'o', rule_id: 'b', key_id: 'k', limit: 20, expires_at: '2027-01-01T00:00:00Z' }],
};
const rule = { rule_id: 'c', limit: 1, window_seconds: 1 };

describe('R59 what is proposed, beside what is in force', () => {
  it('a list is the whole set; plans stay, and overrides of rules that are gone do not', () => {
    const proposed = proposedSnapshot([rule], inForce);
    expect(proposed).toMatchObject({ ok: true, overridesLeftOut: 1, snapshot: { version: 7, plans: inForce.plans, rules: [{ ...rule, version: 1 }], overrides: [] } });
  });

  it('changes leave the others', () => {
    const proposed = proposedSnapshot({ upsert: [{ ...inForce.rules[0], version: undefined, limit: 20 }, rule], remove: [] }, inForce);
    expect(proposed).toMatchObject({ ok: true, overridesLeftOut: 0, snapshot: { rules: [{ rule_id: 'b' }, { rule_id: 'a', limit: 20, version: 4 }, { rule_id: 'c' }] } });
    expect(proposedSnapshot({ remove: ['b'] }, inForce)).toMatchObject({ ok: true, overridesLeftOut: 1, snapshot: { rules: [{ rule_id: 'a' }] } });
  });

  it.each([
    ['no list', 7, ['/rules']],
    ['an unknown field', { add: [] }, ['/rules/add']],
    ['every fault of every rule', [{ rule_id: 'x', limit: 0, window_seconds: -1 }, 'y'], ['/rules/0/limit', '/rules/0/window_seconds', '/rules/1']],
    ['a fault of a change', { upsert: [{ ...rule, limit: 0 }] }, ['/rules/upsert/0/limit']],
    ['an unknown plan', [{ ...rule, plan: 'none' }], ['/rules/0/plan']],
    ['a rule that is not there', { remove: ['z', 7] }, ['/rules/remove/0', '/rules/remove/1']],
    ['two that match the same', [rule, { ...rule, rule_id: 'd' }], ['/rules/1']],
    ['one that an override in force does not fit', { upsert: [{ ...inForce.rules[1], algorithm: 'token_bucket', limit: 1, burst: 1000, window_seconds: 31_000_000 }] }, ['/rules/upsert/0/burst']],
  ])('points at %s', (_what, proposal, pointers) => {
    const proposed = proposedSnapshot(proposal, inForce, '/rules');
    expect(proposed.ok ? [] : proposed.faults.map(({ pointer }) => pointer)).toEqual(pointers);
  });

  it('makes up the plans that a file only names', () => {
    expect(plansNamedBy([{ plan: 'free' }, { plan: 'free' }, {}, 7, { plan: 'pro' }])).toEqual([{ plan_id: 'free' }, { plan_id: 'pro' }]);
  });
});
