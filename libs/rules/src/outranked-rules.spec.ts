import { outrankedRules } from './outranked-rules.js';
import type { Rule } from './rule.js';

const rule = (rule_id: string, fields: Partial<Rule> = {}): Rule => ({ rule_id, version: 1, limit: 1, window_seconds: 60, ...fields });
const names = (target: Rule, ...others: Rule[]): string[] => outrankedRules(target, 'k', others).map(({ rule_id }) => rule_id);

describe('R50 what an override of a rule switches off for its key', () => {
  it.each<[string, Partial<Rule>, boolean]>([
    ['an endpoint of the plan', { plan: 'free', endpoint: 'POST /login' }, true],
    ['an endpoint of any plan', { endpoint: '/login' }, true],
    ['a descriptor beside the plan', { plan: 'free', descriptors: { user: '*' } }, true],
    ['this key by descriptor', { plan: 'free', descriptors: { key_id: 'k' } }, true],
    ['another key by descriptor', { plan: 'free', descriptors: { key_id: 'other' } }, false],
    ['another policy', { plan: 'free', endpoint: '/login', policy: 'login' }, false],
    ['one that is off', { plan: 'free', endpoint: '/login', mode: 'off' }, false],
    ['one in shadow', { plan: 'free', endpoint: '/login', mode: 'shadow' }, false],
    ['another plan', { plan: 'pro', endpoint: '/login' }, false],
    ['a weaker one', {}, false],
  ])('plan-wide rule and %s', (_name, fields, switched) => {
    expect(names(rule('wide', { plan: 'free' }), rule('other', fields), rule('wide', { plan: 'free' }))).toEqual(switched ? ['other'] : []);
  });

  it("a plan's default limit, weaker than any rule for the plan", () => {
    expect(names(rule('plan:free', { plan: 'free' }), rule('a', { plan: 'free' }), rule('b', { domain: 'x' }))).toEqual(['a']);
  });

  it.each<[string, string, boolean]>([
    ['/a/*', 'GET /a/b', true],
    ['/a/*', '/a/b/c', true],
    ['/a/*', '/b/c', false],
    ['GET /a/{id}', 'GET /a/b', true],
    ['GET /a/{id}', 'GET /a/b/c', false],
    ['GET /a/{id}/x', 'GET /a/b/{other}', true],
    ['GET /a/*', 'POST /a/b', false],
  ])('endpoint %s beside %s: %s', (wide, narrow, switched) => {
    expect(names(rule('wide', { endpoint: wide }), rule('narrow', { plan: 'free', endpoint: narrow }))).toEqual(switched ? ['narrow'] : []);
  });
});
