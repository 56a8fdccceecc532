import { reviewRules } from './review-rules.js';
import type { Rule } from './rule.js';

const quota = { version: 1, limit: 5, window_seconds: 1 };

describe('R57 rules are reviewed against each other', () => {
  it.each<[string, Omit<Rule, keyof typeof quota>[], readonly string[]]>([
    ['the same plan', [{ rule_id: 'a', plan: 'free' }, { rule_id: 'b', plan: 'free' }], ['/rules/1']],
    ['any endpoint, said in three ways', [{ rule_id: 'a' }, { rule_id: 'b', endpoint: '*' }, { rule_id: 'c', endpoint: '/*' }], ['/rules/1', '/rules/2']],
    ['the same route with other names', [{ rule_id: 'a', endpoint: 'GET /i/{id}' }, { rule_id: 'b', endpoint: 'GET /i/{x}/' }], ['/rules/1']],
    [
      'the same descriptors in another order',
      [{ rule_id: 'a', descriptors: { x: '1', y: '*' } }, { rule_id: 'b', descriptors: { y: '*', x: '1' } }],
      ['/rules/1'],
    ],
    ['counted otherwise: one would hide the other', [{ rule_id: 'a', count_by: ['ip'] }, { rule_id: 'b', count_by: ['key_id'] }], ['/rules/1']],
    ['two shadow rules: each stands alone', [{ rule_id: 'a', mode: 'shadow' }, { rule_id: 'b', mode: 'shadow' }], []],
    ['a shadow rule beside the one in force', [{ rule_id: 'a' }, { rule_id: 'b', mode: 'shadow' }], []],
    ['one of them off', [{ rule_id: 'a' }, { rule_id: 'b', mode: 'off' }], []],
    ['another policy', [{ rule_id: 'a' }, { rule_id: 'b', policy: 'daily' }], []],
    ['another domain', [{ rule_id: 'a' }, { rule_id: 'b', domain: 'shop' }], []],
    ['another method', [{ rule_id: 'a', endpoint: 'GET /x' }, { rule_id: 'b', endpoint: '/x' }], []],
    ['another descriptor value', [{ rule_id: 'a', descriptors: { x: '1' } }, { rule_id: 'b', descriptors: { x: '*' } }], []],
  ])('conflicts: %s', (_name, rules, pointers) => {
    const { faults } = reviewRules(rules.map((rule) => ({ ...quota, ...rule })));
    expect(faults.map((fault) => fault.pointer)).toEqual(pointers);
  });

  it('names the other rule of a conflict', () => {
    const { faults } = reviewRules([{ ...quota, rule_id: 'a' }, { ...quota, rule_id: 'b' }]);
    expect(faults[0]?.detail).toContain('what a matches');
  });

  it('warns of a plan default that a rule for the plan always beats', () => {
    const plans = [{ plan_id: 'pro' }, { plan_id: 'free', default_limit: { limit: 60, window_seconds: 60 } }];
    expect(reviewRules([{ ...quota, rule_id: 'free-default', plan: 'free' }], plans)).toEqual({
      faults: [],
      warnings: [
        {
          pointer: '/plans/1/default_limit',
          rule_id: 'plan:free',
          shadowed_by: 'free-default',
          detail: 'can never apply: free-default is more specific and applies whenever it would',
        },
      ],
    });
    const elsewhere: Partial<Rule>[] = [{ policy: 'daily' }, { mode: 'shadow' }, { endpoint: '/x' }, { count_by: ['ip'] }, { descriptors: { x: '*' } }, { plan: 'pro' }];
    for (const fields of elsewhere) {
      expect(reviewRules([{ ...quota, rule_id: 'r', plan: 'free', ...fields }], plans).warnings).toEqual([]);
    }
  });

  it('warns of a rule that counts by what a narrower one already asks for', () => {
    const rules: Rule[] = [
      { ...quota, rule_id: 'per-user', count_by: ['user_id'] },
      { ...quota, rule_id: 'user', descriptors: { user_id: '*' }, count_by: ['user_id'] },
      { ...quota, rule_id: 'reachable', domain: 'shop', count_by: ['key_id'] },
    ];
    expect(reviewRules(rules).warnings).toMatchObject([{ pointer: '/rules/0', rule_id: 'per-user', shadowed_by: 'user' }]);
  });

  it('R58 warns of a rule in shadow that could decide nothing, and of none that one in shadow would hide', () => {
    const user: Rule = { ...quota, rule_id: 'user', descriptors: { user_id: '*' }, count_by: ['user_id'] };
    const perUser: Rule = { ...quota, rule_id: 'per-user', count_by: ['user_id'] };
    expect(reviewRules([{ ...perUser, mode: 'shadow' }, user]).warnings).toMatchObject([{ rule_id: 'per-user', shadowed_by: 'user' }]);
    expect(reviewRules([perUser, { ...user, mode: 'shadow' }]).warnings).toEqual([]);
    expect(reviewRules([{ ...perUser, mode: 'shadow' }, { ...user, mode: 'shadow' }]).warnings).toEqual([]);
  });
});
