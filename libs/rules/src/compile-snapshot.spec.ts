import { compileSnapshot } from './compile-snapshot.js';
import type { Override, Plan, RequestAttributes, Rule, Snapshot } from './rule.js';

const NOW = Date.parse('2027-01-01T00:00:00Z');
const quota = { version: 1, limit: 5, window_seconds: 1 };

function snapshotOf(rules: readonly Rule[], more: Partial<Snapshot> = {}): Snapshot {
  return { version: 1, plans: [], rules, overrides: [], ...more };
}

/** Ids of the rules that apply. */
function applied(snapshot: Snapshot, attributes: RequestAttributes, nowMs = NOW): readonly string[] {
  return compileSnapshot(snapshot).match(attributes, nowMs).map(({ rule }) => rule.ruleId);
}

describe('R1 the most specific rule of each policy applies', () => {
  const plans: Plan[] = ['free', 'pro'].map((plan_id) => ({ plan_id, default_limit: { limit: 60, window_seconds: 60 } }));
  const rules: Rule[] = [
    { ...quota, rule_id: 'domain-default' },
    { ...quota, rule_id: 'shop-default', domain: 'shop' },
    { ...quota, rule_id: 'free', plan: 'free' },
    { ...quota, rule_id: 'free-acme', plan: 'free', descriptors: { tenant_id: 'acme' } },
    { ...quota, rule_id: 'free-tenant', plan: 'free', descriptors: { tenant_id: '*' } },
    { ...quota, rule_id: 'free-tenant-eu', plan: 'free', descriptors: { tenant_id: '*', region: '*' } },
    { ...quota, rule_id: 'items', endpoint: '/v1/items/*' },
    { ...quota, rule_id: 'item', endpoint: '/v1/items/{id}' },
    { ...quota, rule_id: 'item-get', endpoint: 'GET /v1/items/{id}' },
    { ...quota, rule_id: 'item-special', endpoint: '/v1/items/special' },
    { ...quota, rule_id: 'free-items', plan: 'free', endpoint: '/v1/items/*' },
    { ...quota, rule_id: 'off', plan: 'free', endpoint: '/v1/items/special', mode: 'off' },
    { ...quota, rule_id: 'per-ip', policy: 'ip', count_by: ['ip'] },
    { ...quota, rule_id: 'search-per-user', endpoint: 'GET /search', count_by: ['user_id'] },
  ];
  const snapshot = snapshotOf(rules, { plans });

  it.each<[string, RequestAttributes, readonly string[]]>([
    ['nothing known: the domain default', {}, ['domain-default']],
    ['a domain of its own', { domain: 'shop' }, ['shop-default']],
    ['another domain', { domain: 'blog' }, ['domain-default']],
    ['the plan', { plan: 'free' }, ['free']],
    ['the plan default, when no rule names the plan', { plan: 'pro' }, ['plan:pro']],
    ['the plan default over the default of the domain', { plan: 'pro', domain: 'shop' }, ['plan:pro']],
    ['an unknown plan', { plan: 'gold' }, ['domain-default']],
    ['a plan with an exact descriptor', { plan: 'free', tenant_id: 'acme', region: 'eu' }, ['free-acme']],
    ['a plan with any descriptor', { plan: 'free', tenant_id: 'other' }, ['free-tenant']],
    ['a plan with more descriptors', { plan: 'free', tenant_id: 'other', region: 'eu' }, ['free-tenant-eu']],
    ['the endpoint over the plan default', { plan: 'pro', endpoint: 'POST /v1/items/7' }, ['item']],
    ['the endpoint with its method', { endpoint: 'GET /v1/items/7' }, ['item-get']],
    ['a literal segment over a parameter with a method', { endpoint: 'GET /v1/items/special' }, ['item-special']],
    ['the tail', { endpoint: 'GET /v1/items/7/parts' }, ['items']],
    ['plan and endpoint over a narrower endpoint', { plan: 'free', endpoint: 'GET /v1/items/7' }, ['free-items']],
    ['the endpoint as its route template', { endpoint: 'GET /v1/items/{item}' }, ['item-get']],
    ['a rule that is off neither applies nor hides one', { plan: 'free', endpoint: 'GET /v1/items/special' }, ['free-items']],
    ['what counts by an absent attribute does not apply', { endpoint: 'GET /search' }, ['domain-default']],
    ['and does with it', { endpoint: 'GET /search', user_id: 'u' }, ['search-per-user']],
    ['rules of another policy apply beside', { plan: 'free', ip: '192.0.2.1' }, ['free', 'per-ip']],
  ])('%s', (_name, attributes, ids) => {
    expect(applied(snapshot, { key_id: 'k', ...attributes })).toEqual(ids);
  });

  it('nothing applies to a request without what is counted', () => {
    expect(applied(snapshot, { plan: 'free', key_id: undefined })).toEqual([]);
  });

  it('does not take inherited properties for attributes', () => {
    const odd: Rule[] = [
      { ...quota, rule_id: 'a', policy: 'a', count_by: ['constructor'] },
      { ...quota, rule_id: 'b', policy: 'b', count_by: ['key_id'], descriptors: { toString: '*' } },
    ];
    expect(applied(snapshotOf(odd), { key_id: 'k' })).toEqual([]);
    const own = JSON.parse('{"key_id":"k","constructor":"x","toString":"y"}') as RequestAttributes;
    expect(applied(snapshotOf(odd), own)).toEqual(['a', 'b']);
  });

  it('gives the very same answer again, without building one', () => {
    const index = compileSnapshot(snapshot);
    const attributes = { plan: 'free', key_id: 'k' };
    const first = index.match(attributes, NOW);
    expect(index.match({ ...attributes, key_id: 'other' }, NOW)).toBe(first);
    expect(Object.isFrozen(first)).toBe(true);
  });

  it('keeps the version of the snapshot', () => {
    expect(compileSnapshot({ ...snapshot, version: 42 }).version).toBe(42);
  });
});

describe('overrides of a key', () => {
  const rules: Rule[] = [
    { ...quota, rule_id: 'free', plan: 'free' },
    { ...quota, rule_id: 'search', plan: 'free', endpoint: 'GET /search' },
    { ...quota, rule_id: 'bucket', policy: 'bucket', algorithm: 'token_bucket', burst: 15 },
  ];
  const plans: Plan[] = [{ plan_id: 'free' }, { plan_id: 'pro', default_limit: { limit: 60, window_seconds: 60 } }];

  function override(fields: Partial<Override>): Override {
    return { override_id: 'o1', rule_id: 'free', key_id: 'k', limit: 100, expires_at: '2027-01-01T00:00:10Z', ...fields };
  }

  function limits(overrides: readonly Override[], attributes: RequestAttributes, nowMs = NOW): readonly string[] {
    const index = compileSnapshot(snapshotOf(rules, { plans, overrides }));
    return index.match(attributes, nowMs).map(({ rule, quota: { limit, burst }, overrideId }) => `${rule.ruleId} ${String(limit)}/${String(burst)} ${overrideId ?? '-'}`);
  }

  it('changes the limit of its rule for its key alone', () => {
    expect(limits([override({})], { plan: 'free', key_id: 'k' })).toEqual(['bucket 5/15 -', 'free 100/100 o1']);
    expect(limits([override({})], { plan: 'free', key_id: 'other' })).toEqual(['bucket 5/15 -', 'free 5/5 -']);
  });

  it('stands above rules that are more specific, where its rule matches', () => {
    expect(limits([override({})], { plan: 'free', key_id: 'k', endpoint: 'GET /search' })).toEqual(['bucket 5/15 -', 'free 100/100 o1']);
    expect(limits([override({})], { plan: 'pro', key_id: 'k', endpoint: 'GET /search' })).toEqual(['bucket 5/15 -', 'plan:pro 60/60 -']);
  });

  it('gives way to an override of a more specific rule', () => {
    const both = [override({}), override({ override_id: 'o2', rule_id: 'search', limit: 7 })];
    expect(limits(both, { plan: 'free', key_id: 'k', endpoint: 'GET /search' })).toEqual(['bucket 5/15 -', 'search 7/7 o2']);
  });

  it('can be of a plan default', () => {
    expect(limits([override({ rule_id: 'plan:pro' })], { plan: 'pro', key_id: 'k' })).toEqual(['bucket 5/15 -', 'plan:pro 100/100 o1']);
  });

  it('scales the burst with the limit, or has its own', () => {
    expect(limits([override({ rule_id: 'bucket', limit: 2 })], { key_id: 'k' })).toEqual(['bucket 2/6 o1']);
    expect(limits([override({ rule_id: 'bucket', limit: 2, burst: 9 })], { key_id: 'k' })).toEqual(['bucket 2/9 o1']);
  });

  it('expires by time at the look-up, without a new snapshot', () => {
    const index = compileSnapshot(snapshotOf(rules, { plans, overrides: [override({})] }));
    const limitAt = (nowMs: number): number | undefined => index.match({ plan: 'free', key_id: 'k' }, nowMs)[1]?.quota.limit;
    expect([limitAt(NOW + 9_999), limitAt(NOW + 10_000), limitAt(NOW)]).toEqual([100, 5, 100]);
  });

  it('of several live ones the one that expires first applies, then the next', () => {
    const several = [override({ override_id: 'long', expires_at: '2027-06-01T00:00:00Z', limit: 50 }), override({})];
    expect(limits(several, { plan: 'free', key_id: 'k' })).toContain('free 100/100 o1');
    expect(limits(several, { plan: 'free', key_id: 'k' }, NOW + 10_000)).toContain('free 50/50 long');
  });

  it('of a rule that is off changes nothing', () => {
    const off = snapshotOf([{ ...quota, rule_id: 'free', mode: 'off' }], { overrides: [override({})] });
    expect(applied(off, { key_id: 'k' })).toEqual([]);
  });
});

describe('R58 a rule in shadow applies where it would decide if it were enforced', () => {
  const rules: Rule[] = [
    { ...quota, rule_id: 'free', plan: 'free' },
    { ...quota, rule_id: 'staged', plan: 'free', endpoint: 'GET /search', mode: 'shadow', limit: 1 },
    { ...quota, rule_id: 'staged-wide', mode: 'shadow', limit: 2 },
    { ...quota, rule_id: 'watched', policy: 'watched', mode: 'shadow' },
  ];
  const search = { plan: 'free', key_id: 'k', endpoint: 'GET /search' };

  it('beside those in force, never displacing one', () => {
    expect(applied(snapshotOf(rules), search)).toEqual(['free', 'staged', 'watched']);
  });

  it('not where an enforced one is more specific', () => {
    expect(applied(snapshotOf(rules), { plan: 'free', key_id: 'k' })).toEqual(['free', 'watched']);
    expect(applied(snapshotOf(rules), { plan: 'pro', key_id: 'k' })).toEqual(['staged-wide', 'watched']);
  });

  it('each by itself: two in shadow are two questions', () => {
    const two: Rule[] = [...rules, { ...quota, rule_id: 'staged-too', plan: 'free', endpoint: '/search', mode: 'shadow' }];
    expect(applied(snapshotOf(two), search)).toEqual(['free', 'staged', 'staged-too', 'watched']);
  });

  it('not where an override of an enforced one goes before it, and where one of its own does', () => {
    const overrides = (rule_id: string): Override[] => [{ override_id: 'o', rule_id, key_id: 'k', limit: 9, expires_at: '2028-01-01T00:00:00Z' }];
    expect(applied(snapshotOf(rules, { overrides: overrides('free') }), search)).toEqual(['free', 'watched']);
    expect(applied(snapshotOf(rules, { overrides: overrides('staged-wide') }), search)).toEqual(['free', 'staged-wide', 'staged', 'watched']);
  });

  it('in the place of one that matches exactly the same, whichever id comes first', () => {
    for (const rule_id of ['a', 'z']) expect(applied(snapshotOf([{ ...quota, rule_id, mode: 'shadow', plan: 'free' }, ...rules]), { plan: 'free', key_id: 'k' })).toEqual(['free', rule_id, 'watched']);
  });

  it('as a proposed version in the place of its rule, whatever else it matches', () => {
    const narrower: Rule = { ...quota, rule_id: 'items', plan: 'free', endpoint: '/items' };
    const proposed: Rule = { ...quota, rule_id: 'proposed:items', plan: 'free', mode: 'shadow', limit: 3 };
    const snapshot = snapshotOf([narrower, proposed]);
    expect(applied(snapshot, { plan: 'free', key_id: 'k', endpoint: 'GET /items' })).toEqual(['items', 'proposed:items']);
    expect(applied(snapshot, { plan: 'free', key_id: 'k' })).toEqual(['proposed:items']);
    const between: Rule = { ...quota, rule_id: 'between', endpoint: '/items' };
    expect(applied(snapshotOf([narrower, between, proposed]), { plan: 'free', key_id: 'k', endpoint: 'GET /items' })).toEqual(['items']);
  });

  it('an override of a rule is of its proposed version too', () => {
    const overrides: Override[] = [{ override_id: 'o', rule_id: 'free', key_id: 'k', limit: 9, expires_at: '2028-01-01T00:00:00Z' }];
    const index = compileSnapshot(snapshotOf([{ ...quota, rule_id: 'free', plan: 'free' }, { ...quota, rule_id: 'proposed:free', plan: 'free', mode: 'shadow', limit: 2 }], { overrides }));
    const limits = (key_id: string): unknown => index.match({ plan: 'free', key_id }, NOW).map(({ rule, quota: { limit }, overrideId }) => [rule.ruleId, limit, overrideId]);
    expect(limits('k')).toEqual([['free', 9, 'o'], ['proposed:free', 9, 'o']]);
    expect(limits('other')).toEqual([['free', 5, undefined], ['proposed:free', 2, undefined]]);
  });

  it('without building an answer where nothing but the rules has a say', () => {
    const index = compileSnapshot(snapshotOf(rules));
    expect(index.match(search, NOW)).toBe(index.match({ ...search, key_id: 'other' }, NOW));
  });
});
