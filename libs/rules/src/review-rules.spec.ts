import fc from 'fast-check';
import { compileRule } from './compile-rule.js';
import { covers } from './covers.js';
import { reviewRules, reviewRulesSteps } from './review-rules.js';
import { ruleMatch } from './rule-match.js';
import type { Rule } from './rule.js';
import { compareSpecificity } from './specificity.js';
import { atOnce } from './steps.js';

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

describe('R57 a large set is reviewed beside everything else', () => {
  const many = (length: number, fields: (n: number) => Partial<Rule>): Rule[] => Array.from({ length }, (_, n) => ({ ...quota, rule_id: `r${n}`, plan: 'free', ...fields(n) }));

  it('thousands of rules that ask for something of their own each meet no other one', () => {
    expect(atOnce(reviewRulesSteps(many(3_000, (n) => ({ descriptors: { [`d${n}`]: '*' } })))).comparisons).toBeLessThan(3_000);
    expect(atOnce(reviewRulesSteps(many(2_000, (n) => ({ descriptors: { [`d${n}`]: '*', user_id: '*' } })))).comparisons).toBeLessThan(2_000);
    expect(atOnce(reviewRulesSteps(many(2_000, (n) => ({ endpoint: `/v1/${n}/{id}`, descriptors: { user_id: '*' } })))).comparisons).toBeLessThan(2_000);
  });

  // Of nine segments each is a literal or a parameter: hardly anything tells who could cover whom.
  const entangled = many(512, (n) => ({ endpoint: `/${Array.from({ length: 9 }, (_, at) => ((n >> at) & 1 ? '{p}' : `s${at}`)).join('/')}`, descriptors: { user_id: '*' } }));

  it('between two steps a few hundred pairs are compared at the most, and above a bound none', () => {
    const steps = reviewRulesSteps(entangled);
    let count = 0;
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) count += 1;
    expect(step.value.comparisons).toBeGreaterThan(10_000);
    expect(count).toBeGreaterThan(step.value.comparisons / 256);
    expect(atOnce(reviewRulesSteps(entangled, [], 1_000)).comparisons).toBe(1_001);
  });

  it('finds what a comparison of all with all finds', () => {
    const rule = fc.record(
      {
        plan: fc.constantFrom('free'),
        domain: fc.constantFrom('shop'),
        endpoint: fc.constantFrom('/a', '/{x}', 'GET /a', '/a/*', '/a/b', '/a/{x}', 'GET /*'),
        mode: fc.constantFrom<Rule['mode'][]>('enforce', 'shadow'),
        descriptors: fc.dictionary(fc.constantFrom('x', 'user_id'), fc.constantFrom('*', '*', '*', '1'), { minKeys: 1 }),
        count_by: fc.subarray(['x', 'user_id', 'plan'], { minLength: 1, maxLength: 2 }),
      },
      { requiredKeys: ['count_by'] },
    );
    let shadows = 0;
    fc.assert(
      fc.property(fc.array(rule, { minLength: 30, maxLength: 60 }), (fields) => {
        const rules = fields.map((each, n) => ({ ...quota, rule_id: `r${n}`, ...each }) as Rule);
        const { faults, warnings } = reviewRules(rules);
        const out = new Set(faults.map(({ pointer }) => pointer));
        const kept = rules.flatMap((each, index) => (out.has(`/rules/${index}`) ? [] : [{ rule: each, match: ruleMatch(each), countBy: compileRule(each).countBy }]));
        kept.sort((a, b) => compareSpecificity(a.match, b.match));
        const isSame = (a: Rule, b: Rule): boolean => reviewRules([{ ...a, mode: 'enforce' }, { ...b, mode: 'enforce' }]).faults.length > 0;
        const expected = kept.flatMap((entry, at) => {
          const winner = kept.slice(0, at).find((other) => other.rule.mode !== 'shadow' && covers(other, entry) && !(entry.rule.mode === 'shadow' && isSame(entry.rule, other.rule)));
          return winner === undefined ? [] : [[entry.rule.rule_id, winner.rule.rule_id]];
        });
        shadows += expected.length;
        expect(warnings.map(({ rule_id, shadowed_by }) => [rule_id, shadowed_by])).toEqual(expected);
      }),
      { seed: 20_261_130, numRuns: 60 },
    );
    expect(shadows).toBeGreaterThan(50);
  });
});
