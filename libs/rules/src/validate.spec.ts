import { validateOverride, validatePlan, validateRule, validateSnapshot } from './validate.js';
import type { Fault, Validated } from './fault.js';

const rule = { rule_id: 'free-default', version: 3, plan: 'free', limit: 5, window_seconds: 1 };
const override = { override_id: 'o1', rule_id: 'free-default', key_id: 'k1', limit: 10, expires_at: '2027-01-31T12:00:00Z' };
const snapshot = { version: 7, plans: [{ plan_id: 'free' }], rules: [rule], overrides: [override] };

function faultsOf(result: Validated<unknown>): readonly Fault[] {
  return result.ok ? [] : result.faults;
}

function pointersOf(result: Validated<unknown>): readonly string[] {
  return faultsOf(result).map((fault) => fault.pointer);
}

/** JSON text, since `__proto__` in an object literal is something else. */
function ruleWith(json: string): unknown {
  return JSON.parse(`{"rule_id":"r","version":1,"limit":5,"window_seconds":1,${json}}`);
}

describe('R57 a rule is validated before it is published', () => {
  it('accepts every field, and gives back the same rule', () => {
    const full = {
      ...rule,
      domain: 'api.example.com:443/x',
      endpoint: 'GET /v1/items/{id}',
      descriptors: { tenant_id: 'acme', 'x-region': '*' },
      count_by: ['tenant_id', 'ip'],
      policy: 'per_tenant-1.0',
      mode: 'shadow',
      on_store_failure: 'deny',
      consistency: 'exact',
      region_mode: 'split',
      max_lease: 50,
      shards: 5,
      algorithm: 'leaky_bucket',
      burst: 20,
      shape: true,
      charge_denied: true,
    };
    expect(validateRule(full)).toEqual({ ok: true, value: full });
  });

  it.each([
    ['the smallest', { limit: 1, window_seconds: 0.1 }],
    ['the greatest', { limit: Number.MAX_SAFE_INTEGER, window_seconds: 31_622_400 }],
    ['a window in ms that is no binary fraction', { window_seconds: 1.001 }],
    ['sub-buckets', { algorithm: 'sliding_counter', window_seconds: 60, sub_buckets: 60 }],
    ['defaults spelled out', { algorithm: 'gcra', sub_buckets: 1, shape: false, charge_denied: false }],
    ['a burst that drains in 366 days', { algorithm: 'token_bucket', limit: 1, burst: 366, window_seconds: 86_400 }],
    ['names of inherited properties', { rule_id: 'constructor', policy: 'prototype', count_by: ['constructor'], descriptors: { toString: '*' } }],
    ['any endpoint', { endpoint: '*' }],
  ])('accepts %s', (_name, fields) => {
    expect(pointersOf(validateRule({ ...rule, ...fields }))).toEqual([]);
  });

  it.each([
    ['hour', 3_600],
    ['day', 86_400],
    ['week', 604_800],
    ['month', 2_592_000],
    ['year', 31_536_000],
  ])('R10 fills in the nominal window of a calendar %s', (unit, window_seconds) => {
    const { window_seconds: _left_out, ...rest } = rule;
    const calendar = { unit, time_zone: 'Europe/Berlin' };
    expect(validateRule({ ...rest, algorithm: 'fixed_window', calendar })).toEqual({
      ok: true,
      value: { ...rest, algorithm: 'fixed_window', calendar, window_seconds },
    });
    expect(pointersOf(validateRule({ ...rest, window_seconds, algorithm: 'fixed_window', calendar }))).toEqual([]);
  });

  it.each([null, undefined, 1, 'rule', [], [rule], true])('refuses %p as a rule', (json) => {
    expect(faultsOf(validateRule(json))).toEqual([{ pointer: '', detail: 'must be an object' }]);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['limit zero', { limit: 0 }, '/limit'],
    ['limit below zero', { limit: -1 }, '/limit'],
    ['limit a fraction', { limit: 1.5 }, '/limit'],
    ['limit a string', { limit: '5' }, '/limit'],
    ['limit NaN', { limit: Number.NaN }, '/limit'],
    ['limit infinite', { limit: Number.POSITIVE_INFINITY }, '/limit'],
    ['limit beyond 2^53-1', { limit: 2 ** 53 }, '/limit'],
    ['limit null', { limit: null }, '/limit'],
    ['limit undefined', { limit: undefined }, '/limit'],
    ['window zero', { window_seconds: 0 }, '/window_seconds'],
    ['window below 0.1 s', { window_seconds: 0.099 }, '/window_seconds'],
    ['window above 366 days', { window_seconds: 31_622_400.001 }, '/window_seconds'],
    ['window not in whole ms', { window_seconds: 1.0005 }, '/window_seconds'],
    ['window NaN', { window_seconds: Number.NaN }, '/window_seconds'],
    ['window a string', { window_seconds: '60' }, '/window_seconds'],
    ['rule_id missing', { rule_id: undefined }, '/rule_id'],
    ['rule_id empty', { rule_id: '' }, '/rule_id'],
    ['rule_id too long', { rule_id: 'a'.repeat(65) }, '/rule_id'],
    ['rule_id with a colon', { rule_id: 'plan:free' }, '/rule_id'],
    ['rule_id with a newline at the end', { rule_id: 'a\n' }, '/rule_id'],
    ['rule_id .', { rule_id: '.' }, '/rule_id'],
    ['rule_id ..', { rule_id: '..' }, '/rule_id'],
    ['rule_id with a dash first', { rule_id: '-a' }, '/rule_id'],
    ['rule_id __proto__', { rule_id: '__proto__' }, '/rule_id'],
    ['version zero', { version: 0 }, '/version'],
    ['version a string', { version: '1' }, '/version'],
    ['plan not an id', { plan: 'a plan' }, '/plan'],
    ['policy in upper case', { policy: 'Default' }, '/policy'],
    ['policy too long', { policy: 'p'.repeat(65) }, '/policy'],
    ['policy with a quote', { policy: 'a"b' }, '/policy'],
    ['domain a wildcard', { domain: '*' }, '/domain'],
    ['domain too long', { domain: 'd'.repeat(129) }, '/domain'],
    ['algorithm unknown', { algorithm: 'leaky' }, '/algorithm'],
    ['algorithm an inherited property', { algorithm: 'constructor' }, '/algorithm'],
    ['mode unknown', { mode: 'on' }, '/mode'],
    ['on_store_failure unknown', { on_store_failure: 'pass' }, '/on_store_failure'],
    ['consistency unknown', { consistency: 'strong' }, '/consistency'],
    ['region_mode unknown', { region_mode: 'global' }, '/region_mode'],
    ['max_lease zero', { max_lease: 0 }, '/max_lease'],
    ['shards zero', { shards: 0 }, '/shards'],
    ['too many shards', { limit: 1_000, shards: 129 }, '/shards'],
    ['more shards than the limit', { limit: 5, shards: 6 }, '/shards'],
    ['burst with a window algorithm', { burst: 10 }, '/burst'],
    ['burst with the sliding log', { algorithm: 'sliding_log', burst: 10 }, '/burst'],
    ['burst zero', { algorithm: 'gcra', burst: 0 }, '/burst'],
    ['burst that drains in more than 366 days', { algorithm: 'gcra', limit: 1, burst: 367, window_seconds: 86_400 }, '/burst'],
    ['burst whose product leaves 2^53', { algorithm: 'gcra', limit: 1, burst: Number.MAX_SAFE_INTEGER, window_seconds: 31_622_400 }, '/burst'],
    ['sub_buckets with another algorithm', { algorithm: 'fixed_window', sub_buckets: 2 }, '/sub_buckets'],
    ['sub_buckets that do not divide the window', { sub_buckets: 7 }, '/sub_buckets'],
    ['too many sub_buckets', { window_seconds: 1_010, sub_buckets: 101 }, '/sub_buckets'],
    ['shape with another algorithm', { algorithm: 'token_bucket', shape: true }, '/shape'],
    ['shape a string', { algorithm: 'leaky_bucket', shape: 'yes' }, '/shape'],
    ['charge_denied a number', { charge_denied: 1 }, '/charge_denied'],
    ['calendar without fixed_window', { window_seconds: 86_400, calendar: { unit: 'day', time_zone: 'UTC' } }, '/calendar'],
    ['calendar no object', { algorithm: 'fixed_window', calendar: 'day' }, '/calendar'],
    ['calendar unit unknown', { algorithm: 'fixed_window', calendar: { unit: 'decade', time_zone: 'UTC' } }, '/calendar/unit'],
    ['calendar zone unknown', { algorithm: 'fixed_window', window_seconds: 86_400, calendar: { unit: 'day', time_zone: 'Mars/Olympus' } }, '/calendar/time_zone'],
    ['calendar zone an offset', { algorithm: 'fixed_window', window_seconds: 86_400, calendar: { unit: 'day', time_zone: '+01:00' } }, '/calendar/time_zone'],
    ['calendar zone missing', { algorithm: 'fixed_window', window_seconds: 86_400, calendar: { unit: 'day' } }, '/calendar/time_zone'],
    ['calendar field unknown', { algorithm: 'fixed_window', window_seconds: 86_400, calendar: { unit: 'day', time_zone: 'UTC', start: 1 } }, '/calendar/start'],
    ['window that contradicts the calendar', { algorithm: 'fixed_window', calendar: { unit: 'day', time_zone: 'UTC' } }, '/window_seconds'],
    ['endpoint no string', { endpoint: 7 }, '/endpoint'],
    ['endpoint empty', { endpoint: '' }, '/endpoint'],
    ['descriptors an array', { descriptors: ['a'] }, '/descriptors'],
    ['descriptors null', { descriptors: null }, '/descriptors'],
    ['too many descriptors', { descriptors: Object.fromEntries(Array.from({ length: 17 }, (_, at) => [`d${String(at)}`, 'x'])) }, '/descriptors'],
    ['descriptor value a number', { descriptors: { a: 1 } }, '/descriptors/a'],
    ['descriptor value empty', { descriptors: { a: '' } }, '/descriptors/a'],
    ['descriptor value too long', { descriptors: { a: 'x'.repeat(257) } }, '/descriptors/a'],
    ['descriptor name too long', { descriptors: { ['n'.repeat(65)]: 'x' } }, `/descriptors/${'n'.repeat(65)}`],
    ['descriptor name with ~ (escaped in the pointer)', { descriptors: { 'a~b': 'x' } }, '/descriptors/a~0b'],
    ['descriptor that has a field of its own', { descriptors: { plan: 'free' } }, '/descriptors/plan'],
    ['count_by no array', { count_by: 'key_id' }, '/count_by'],
    ['count_by empty', { count_by: [] }, '/count_by'],
    ['count_by of nine', { count_by: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'] }, '/count_by'],
    ['count_by with a name twice', { count_by: ['ip', 'ip'] }, '/count_by'],
    ['count_by name malformed', { count_by: ['ip', 'a b'] }, '/count_by/1'],
    ['count_by name no string', { count_by: [1] }, '/count_by/0'],
    ['an unknown field', { limits: 5 }, '/limits'],
    ['an unknown field with / in it', { 'a/b': 5 }, '/a~1b'],
  ])('refuses %s', (_name, fields, pointer) => {
    const result = validateRule({ ...rule, ...fields });
    expect(pointersOf(result)).toEqual([pointer]);
    expect(faultsOf(result)[0]?.detail).toMatch(/^(must|is|has|belongs) /);
  });

  it('reports every fault at once', () => {
    expect(pointersOf(validateRule({ limit: '5', windowSeconds: 60, mode: 'on', endpoint: 'get /x' }))).toEqual([
      '/windowSeconds',
      '/rule_id',
      '/version',
      '/limit',
      '/window_seconds',
      '/endpoint',
      '/mode',
    ]);
  });

  it.each([
    ['"__proto__":{"limit":1}', '/__proto__'],
    ['"constructor":{"prototype":{"limit":1}}', '/constructor'],
    ['"descriptors":{"__proto__":"x"}', '/descriptors/__proto__'],
    ['"count_by":["__proto__"]', '/count_by/0'],
  ])('is not fooled by %s', (json, pointer) => {
    expect(pointersOf(validateRule(ruleWith(json)))).toEqual([pointer]);
    expect(Object.getPrototypeOf({})).not.toHaveProperty('limit');
  });

  it('does not read what an object inherits', () => {
    expect(pointersOf(validateRule(Object.create(rule)))).toEqual(['/rule_id', '/version', '/limit', '/window_seconds']);
  });
});

describe('R57 plans and overrides', () => {
  it.each<[Record<string, unknown>, readonly string[]]>([
    [{}, []],
    [{ name: 'Free', version: 2, default_limit: { limit: 60, window_seconds: 60 } }, []],
    [{ plan_id: 'a b' }, ['/plan_id']],
    [{ name: '' }, ['/name']],
    [{ name: 'a\u0000b' }, ['/name']],
    [{ default_limit: null }, ['/default_limit']],
    [{ default_limit: { limit: 0, window_seconds: 60, plan: 'x' } }, ['/default_limit/plan', '/default_limit/limit']],
    [{ default_limit: { limit: 1, window_seconds: 60, burst: 2 } }, ['/default_limit/burst']],
  ])('plan %j', (fields, pointers) => {
    expect(pointersOf(validatePlan({ plan_id: 'free', ...fields }))).toEqual(pointers);
  });

  it.each<[Record<string, unknown>, readonly string[]]>([
    [{}, []],
    [{ rule_id: 'plan:free', burst: 5 }, []],
    [{ expires_at: '2028-02-29T00:00:00.123456+05:30' }, []],
    [{ expires_at: undefined }, ['/expires_at']],
    [{ expires_at: '2027-01-31T12:00:00' }, ['/expires_at']],
    [{ expires_at: '2027-01-31' }, ['/expires_at']],
    [{ expires_at: '2027-02-29T00:00:00Z' }, ['/expires_at']],
    [{ expires_at: '2027-13-01T00:00:00Z' }, ['/expires_at']],
    [{ expires_at: 1_800_000_000 }, ['/expires_at']],
    [{ limit: 0, burst: 0 }, ['/limit', '/burst']],
    [{ key_id: '' }, ['/key_id']],
    [{ rule_id: 'plan:' }, ['/rule_id']],
    [{ override_id: 'a:b', reason: 'x' }, ['/reason', '/override_id']],
  ])('override %j', (fields, pointers) => {
    expect(pointersOf(validateOverride({ ...override, ...fields }))).toEqual(pointers);
  });
});

describe('R56 a snapshot is validated whole', () => {
  it('accepts a good one as it is', () => {
    expect(validateSnapshot(snapshot)).toEqual({ ok: true, value: snapshot });
  });

  it.each<[string, Record<string, unknown>, readonly string[]]>([
    ['version missing', { version: undefined }, ['/version']],
    ['version below zero', { version: -1 }, ['/version']],
    ['rules no array', { rules: {} }, ['/rules']],
    ['a field unknown', { etag: 'x' }, ['/etag']],
    ['faults deep inside', { rules: [rule, { ...rule, limit: 0 }], plans: [7] }, ['/plans/0', '/rules/1/limit']],
    ['a rule for an unknown plan', { rules: [rule, { ...rule, rule_id: 'r2', plan: 'gold' }] }, ['/rules/1/plan']],
    ['an override of an unknown rule', { overrides: [{ ...override, rule_id: 'r9' }] }, ['/overrides/0/rule_id']],
    ['an override of the default of a plan that has none', { overrides: [{ ...override, rule_id: 'plan:free' }] }, ['/overrides/0/rule_id']],
    ['an override with a burst where there is none', { overrides: [{ ...override, burst: 5 }] }, ['/overrides/0/burst']],
    ['an override whose burst never drains', { rules: [{ ...rule, algorithm: 'gcra' }], overrides: [{ ...override, limit: 1, burst: 31_622_401 }] }, ['/overrides/0/burst']],
    ['a rule id twice', { rules: [rule, rule] }, ['/rules/1/rule_id']],
    ['a plan id twice', { plans: [{ plan_id: 'free' }, { plan_id: 'free' }] }, ['/plans/1/plan_id']],
    ['an override id twice', { overrides: [override, { ...override, key_id: 'k2' }] }, ['/overrides/1/override_id']],
  ])('refuses %s', (_name, fields, pointers) => {
    expect(pointersOf(validateSnapshot({ ...snapshot, ...fields }))).toEqual(pointers);
  });

  it('accepts an override of a plan default', () => {
    const plans = [{ plan_id: 'free', default_limit: { limit: 60, window_seconds: 60 } }];
    expect(pointersOf(validateSnapshot({ ...snapshot, plans, overrides: [{ ...override, rule_id: 'plan:free' }] }))).toEqual([]);
  });
});

describe('R58 proposed versions in a snapshot', () => {
  const proposed = { rule_id: 'proposed:free', version: 1, limit: 5, window_seconds: 1, mode: 'shadow' };

  it.each<[string, object, object, readonly string[]]>([
    ['a window in which its burst would not drain', { algorithm: 'token_bucket', window_seconds: 31_622_400 }, { limit: 1, burst: 2 }, ['must drain within 366 days at this limit and the window of the proposed version of the rule (burst x window / limit)']],
    ['an algorithm without a burst', { algorithm: 'fixed_window' }, { limit: 1, burst: 2 }, ['must be absent, since the algorithm of the proposed version of the rule has no burst']],
    ['the same without one', { algorithm: 'fixed_window' }, { limit: 1 }, []],
    ['what its burst just drains in', { algorithm: 'gcra', window_seconds: 15_811_200 }, { limit: 1, burst: 2 }, []],
    ['the longest window, and a limit as small as can be', { algorithm: 'gcra', limit: 5, burst: 5, window_seconds: 31_622_400 }, { limit: 1 }, []],
  ])('R12 R14 fit the overrides of their rule: %s', (_name, change, limits, details) => {
    const enforced = { rule_id: 'free', version: 1, algorithm: 'token_bucket', limit: 5, window_seconds: 60 };
    const rules = [enforced, { ...proposed, ...change }];
    const checked = validateSnapshot({ version: 1, plans: [], rules, overrides: [{ ...override, rule_id: 'free', ...limits }] });
    expect(checked.ok ? [] : checked.faults).toEqual(details.map((detail) => ({ pointer: '/overrides/0/burst', detail })));
  });

  const snapshotOf = (rule: object): unknown => ({ version: 1, plans: [], rules: [rule], overrides: [] });

  it('are rules in shadow under a reserved id, which no admin can give', () => {
    expect(validateSnapshot(snapshotOf(proposed))).toMatchObject({ ok: true });
    expect(validateRule(proposed)).toMatchObject({ ok: false, faults: [{ pointer: '/rule_id' }] });
    expect(validateSnapshot(snapshotOf({ ...proposed, rule_id: 'proposed:a:b' }))).toMatchObject({ ok: false, faults: [{ pointer: '/rules/0/rule_id' }] });
  });

  it('are never enforced', () => {
    for (const mode of ['enforce', 'off', undefined]) {
      expect(validateSnapshot(JSON.parse(JSON.stringify(snapshotOf({ ...proposed, mode }))))).toMatchObject({ ok: false, faults: [{ pointer: '/rules/0/mode' }] });
    }
  });
});
