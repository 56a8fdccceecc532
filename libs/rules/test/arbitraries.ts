import fc from 'fast-check';
import type { Override, Plan, RequestAttributes, Rule, Snapshot } from '../src/index.js';

/** Small alphabets, so that rules and requests meet, tie and shadow each other often. */
const DOMAINS = ['d1', 'd2'];
const PLANS = ['free', 'pro'];
const NAMES = ['user_id', 'tenant_id', 'x'];
const VALUES = ['1', '2'];
export const NOW = Date.parse('2027-01-01T00:00:00Z');
export const EXPIRIES = ['2026-12-31T23:59:59Z', '2027-01-01T00:00:00Z', '2027-01-01T00:00:01Z', '2027-06-01T00:00:00Z'];

function maybe<T>(arb: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.option(arb, { nil: undefined });
}

const segment = fc.constantFrom('a', 'b', 'c.d', '{p}', '{q}');
const template = fc
  .tuple(fc.constantFrom('', 'GET ', 'POST '), fc.array(segment, { maxLength: 3 }), fc.constantFrom('', '', '/*', '/'))
  .map(([method, segments, end]) => method + (segments.map((part) => `/${part}`).join('') + end || '/'));
const ruleEndpoint = fc.oneof({ weight: 6, arbitrary: template }, { weight: 1, arbitrary: fc.constantFrom('*', '/*', 'GET *') });

const requestEndpoint = fc.oneof(
  fc
    .tuple(fc.constantFrom('', 'GET ', 'POST ', 'PUT '), fc.array(fc.constantFrom('a', 'b', 'c.d', 'cxd', 'z', '{p}', ''), { maxLength: 4 }), fc.constantFrom('', '/', '?x=/a', '#/b'))
    .map(([method, segments, end]) => `${method}/${segments.join('/')}${end}`),
  ruleEndpoint,
  fc.constantFrom('', 'login', 'GET', 'GET a', ' /a'),
);

/** Drops absent fields, as JSON would. */
function present<T extends object>(fields: T): T {
  return JSON.parse(JSON.stringify(fields)) as T;
}

export const rule: fc.Arbitrary<Rule> = fc
  .record({
    version: fc.constant(1),
    limit: fc.integer({ min: 1, max: 1_000 }),
    window_seconds: fc.constant(1),
    domain: maybe(fc.constantFrom(...DOMAINS)),
    plan: maybe(fc.constantFrom(...PLANS)),
    endpoint: maybe(ruleEndpoint),
    descriptors: maybe(fc.dictionary(fc.constantFrom(...NAMES), fc.constantFrom('*', ...VALUES), { maxKeys: 2 })),
    count_by: fc.option(fc.uniqueArray(fc.constantFrom('key_id', 'endpoint', 'plan', ...NAMES), { minLength: 1, maxLength: 2 }), { nil: undefined, freq: 2 }),
    policy: fc.constantFrom(undefined, undefined, 'default', 'daily'),
    mode: fc.constantFrom(undefined, undefined, 'enforce', 'shadow', 'off'),
  })
  .map((fields) => present({ ...fields, rule_id: '' }) as Rule);

export const rules: fc.Arbitrary<readonly Rule[]> = fc
  .array(rule, { maxLength: 40, size: 'max' })
  .map((list) => list.map((one, at) => ({ ...one, rule_id: `r${String((at * 7) % 41)}` })));

/** Rules, some of which have a proposed version beside them. */
const staged: fc.Arbitrary<readonly Rule[]> = fc.tuple(rules, fc.array(rule, { maxLength: 6 })).map(([list, proposals]) => {
  const versions = proposals.slice(0, list.length).map((one, at): Rule => ({ ...one, rule_id: `proposed:${list[at]?.rule_id ?? ''}`, mode: 'shadow' }));
  return [...list, ...versions];
});

export const plans: fc.Arbitrary<readonly Plan[]> = fc.constantFrom(
  PLANS.map((plan_id) => ({ plan_id })),
  PLANS.map((plan_id) => ({ plan_id, default_limit: { limit: 77, window_seconds: 60 } })),
);

function overridesOf(ruleIds: readonly string[]): fc.Arbitrary<readonly Override[]> {
  if (ruleIds.length === 0) return fc.constant([]);
  return fc
    .array(
      fc.record({
        rule_id: fc.constantFrom(...ruleIds),
        key_id: fc.constantFrom('k1', 'k2'),
        limit: fc.integer({ min: 1, max: 9 }),
        expires_at: fc.constantFrom(...EXPIRIES),
      }),
      { maxLength: 6, size: 'max' },
    )
    .map((list) => list.map((one, at) => ({ ...one, override_id: `o${String(at)}` })));
}

export const snapshot: fc.Arbitrary<Snapshot> = fc.tuple(staged, plans).chain(([ruleList, planList]) => {
  const defaults = planList.flatMap((plan) => (plan.default_limit ? [`plan:${plan.plan_id}`] : []));
  return overridesOf([...ruleList.map((one) => one.rule_id).filter((id) => !id.startsWith('proposed:')), ...defaults]).map((overrides) => ({ version: 1, plans: planList, rules: ruleList, overrides }));
});

export const request: fc.Arbitrary<RequestAttributes> = fc.record({
  domain: maybe(fc.constantFrom(...DOMAINS, 'other')),
  plan: maybe(fc.constantFrom(...PLANS, 'other')),
  endpoint: maybe(requestEndpoint),
  key_id: fc.constantFrom(undefined, 'k1', 'k2', 'k1', 'k2', 'k3'),
  user_id: maybe(fc.constantFrom(...VALUES, '3')),
  tenant_id: maybe(fc.constantFrom(...VALUES, '3')),
  x: maybe(fc.constantFrom(...VALUES, '3')),
});
