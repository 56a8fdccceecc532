import fc from 'fast-check';
import { NOW, request, snapshot } from '../test/arbitraries.js';
import { rankReason } from './explain-rank.js';
import { atOnce } from './steps.js';
import { MatchExplainer } from './match-explainer.js';
import { ruleMatch } from './rule-match.js';
import type { Rule, Snapshot } from './rule.js';
import { compareSpecificity } from './specificity.js';

const quota = { version: 1, limit: 5, window_seconds: 1 };
const RULES: readonly Rule[] = [
  { ...quota, rule_id: 'all' },
  { ...quota, rule_id: 'items', endpoint: 'GET /v1/items/{id}' },
  { ...quota, rule_id: 'free-items', plan: 'free', endpoint: '/v1/items/*' },
  { ...quota, rule_id: 'pro-items', plan: 'pro', endpoint: '/v1/items/*' },
  { ...quota, rule_id: 'eu', policy: 'region', descriptors: { region: 'eu' } },
  { ...quota, rule_id: 'any-region', policy: 'region', descriptors: { region: '*' } },
  { ...quota, rule_id: 'per-user', policy: 'user', count_by: ['user_id'] },
  { ...quota, rule_id: 'other-shop', domain: 'shop' },
  { ...quota, rule_id: 'silent', mode: 'off' },
];
const SNAPSHOT: Snapshot = {
  version: 3,
  plans: [{ plan_id: 'free', default_limit: { limit: 1, window_seconds: 1 } }, { plan_id: 'pro' }],
  rules: RULES,
  overrides: [
    { override_id: 'more', rule_id: 'all', key_id: 'vip', limit: 50, expires_at: new Date(NOW + 1_000).toISOString() },
    { override_id: 'old', rule_id: 'all', key_id: 'k', limit: 50, expires_at: new Date(NOW - 1).toISOString() },
  ],
};
const explainer = atOnce(MatchExplainer.of(SNAPSHOT));
const REQUEST = { plan: 'free', endpoint: 'GET /v1/items/7', key_id: 'k', region: 'eu' };

describe('R1 why a rule applies', () => {
  it('says which apply, in which order those stand that match, and what each lost to', () => {
    const { applied, matching, overrides } = explainer.explain(REQUEST, NOW);
    expect(applied.map(({ rule }) => rule.ruleId)).toEqual(['free-items', 'eu']);
    expect(matching.map(({ ruleId, reason, outrankedBy }) => [ruleId, reason, outrankedBy])).toEqual([
      ['free-items', 'most_specific', undefined],
      ['items', 'outranked', 'free-items'],
      ['eu', 'most_specific', undefined],
      ['any-region', 'outranked', 'eu'],
      ['plan:free', 'outranked', 'free-items'],
      ['all', 'outranked', 'free-items'],
    ]);
    expect(matching[1]?.detail).toBe('free-items applies instead: a rule for plan and endpoint goes before a rule for an endpoint');
    expect(overrides.map(({ override_id }) => override_id)).toEqual(['old']);
  });

  it.each([
    ['pro-items', 'plan', 'it is for the plan pro, and the request\'s is "free"'],
    ['other-shop', 'domain', "it is for the domain shop, and the request's is absent"],
    ['per-user', 'count_by', 'it counts by user_id, which the request lacks'],
    ['silent', 'off', 'it is switched off'],
    ['nobody', 'unknown_rule', 'there is no such rule'],
  ])('says of %s what keeps it away: %s', (ruleId, reason, detail) => {
    const mode = reason === 'off' ? 'off' : reason === 'unknown_rule' ? undefined : 'enforce';
    expect(explainer.explain(REQUEST, NOW, [ruleId, 'items']).others[0]).toEqual({ ruleId, mode, reason, detail, applies: false, matches: false, outrankedBy: undefined, overrideId: undefined });
  });

  it('names unasked what lacks only an attribute to count by', () => {
    expect(explainer.explain(REQUEST, NOW).others.map(({ ruleId, reason }) => [ruleId, reason])).toEqual([['per-user', 'count_by']]);
    const { key_id: _none, ...anonymous } = REQUEST;
    expect(explainer.explain(anonymous, NOW, ['nobody']).others.map(({ ruleId }) => ruleId)).toEqual(['nobody', 'free-items', 'items', 'eu', 'any-region', 'plan:free', 'all', 'per-user']);
  });

  it.each([
    [{ endpoint: 'POST /v1/items/7' }, 'items', 'endpoint'],
    [{ endpoint: undefined }, 'items', 'endpoint'],
    [{ region: 'us' }, 'eu', 'descriptor'],
    [{ region: undefined }, 'any-region', 'descriptor'],
  ])('with %j: %s is kept away by its %s', (change, ruleId, reason) => {
    expect(explainer.explain({ ...REQUEST, ...change }, NOW, [ruleId]).others[0]).toMatchObject({ ruleId, reason });
  });

  it('an override in force goes before everything, and says so on both sides', () => {
    const { matching } = explainer.explain({ ...REQUEST, key_id: 'vip' }, NOW);
    expect(matching.find(({ ruleId }) => ruleId === 'all')).toMatchObject({ reason: 'override', overrideId: 'more', applies: true });
    expect(matching.find(({ ruleId }) => ruleId === 'free-items')).toMatchObject({ reason: 'outranked', outrankedBy: 'all', detail: 'all applies instead: an override of that one for this key goes before all that have none' });
  });

  it('agrees with the index, whatever the rules: what applies is what matches and lost to nobody, and who lost lost to one that applies', () => {
    let outranked = 0;
    fc.assert(
      fc.property(snapshot, fc.array(request, { minLength: 8, maxLength: 8 }), (rules, requests) => {
        const any = atOnce(MatchExplainer.of(rules));
        for (const attributes of requests) {
          const { applied, matching } = any.explain(attributes, NOW);
          const winners = applied.map(({ rule }) => rule.ruleId);
          expect([...matching.filter(({ applies }) => applies).map(({ ruleId }) => ruleId)].sort()).toEqual([...winners].sort());
          for (const { applies, outrankedBy } of matching) {
            if (applies) continue;
            outranked += 1;
            expect(winners).toContain(outrankedBy);
          }
        }
      }),
      { seed: 62, numRuns: 500 },
    );
    expect(outranked).toBeGreaterThan(300);
  });

  it('names the difference that the order is by, for every pair of rules', () => {
    fc.assert(
      fc.property(snapshot, ({ rules }) => {
        const matches = rules.map(ruleMatch);
        for (const a of matches) {
          for (const b of matches) if (compareSpecificity(a, b) < 0) expect(rankReason(a, b)).not.toBe('they are equally specific');
        }
      }),
      { seed: 63, numRuns: 200 },
    );
  });
});
