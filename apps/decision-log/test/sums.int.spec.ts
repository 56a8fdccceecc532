import type { DecisionEvent } from '@sluice/events';
import fc from 'fast-check';
import { type Answer, type RunningLog, startLog } from './support/running-log.js';
import { type ScriptedAuthority, startAuthority } from './support/scripted-authority.js';
import { eventOf, limitOf } from './store-contract/sample-events.js';

const TOKENS = { viewer: { role: 'viewer' }, acme: { role: 'tenant', tenant_id: 'acme' }, beta: { role: 'tenant', tenant_id: 'beta' }, nobody: { role: 'tenant', tenant_id: 'nobody' } } as const;
const HOUR = 3_600_000;
/** Two hours that are over, so that what is asked does not depend on when. */
const START = Math.floor(Date.now() / HOUR) * HOUR - 5 * HOUR;
const RANGE = { from: new Date(START).toISOString(), to: new Date(START + 2 * HOUR).toISOString() };

interface Row {
  readonly starts_at: string | null;
  readonly group: string | null;
  readonly requests: number;
  readonly allowed: number;
  readonly refused: number;
  readonly cost: number;
  readonly allowed_cost: number;
  readonly sampled: boolean | null;
  readonly standard_error: number | null;
}

const shape = fc.record({
  offsetMs: fc.noBias(fc.nat({ max: 2 * HOUR - 1 })),
  kind: fc.constantFrom('decision', 'decision', 'decision', 'shadow', 'unauthenticated'),
  allowed: fc.boolean(),
  share: fc.constantFrom(1, 0.5, 0.01, 0.03),
  cost: fc.integer({ min: 1, max: 9 }),
  region: fc.constantFrom('eu', 'us'),
  rule: fc.option(fc.constantFrom('search', 'login', 'proposed:search'), { nil: undefined }),
  second: fc.option(fc.constantFrom('login', 'daily'), { nil: undefined }),
  version: fc.integer({ min: 1, max: 3 }),
  key: fc.option(fc.constantFrom('k1', 'k2', 'k3', 'ключ', '😀', "'; DROP TABLE decisions; --"), { nil: undefined }),
  tenant: fc.option(fc.constantFrom('acme', 'beta'), { nil: undefined }),
  plan: fc.constantFrom('free', 'pro'),
  endpoint: fc.constantFrom('GET /a', 'GET /b', 'POST /b'),
  ip: fc.constantFrom('192.0.2.1', '192.0.2.2'),
});

/** Seeded, so that a failure can be looked at. */
const events: DecisionEvent[] = fc.sample(shape, { numRuns: 3_000, seed: 20_261_130 }).map((each, index) => {
  const isDecision = each.kind === 'decision';
  const allowed = each.kind === 'shadow' || (isDecision && each.allowed);
  const attributes = { domain: 'api', plan: each.plan, endpoint: each.endpoint, ip: each.ip, key_id: each.key, tenant_id: each.tenant };
  return eventOf({
    event_id: `sums:${index + 1}`,
    at_ms: START + each.offsetMs,
    kind: each.kind as DecisionEvent['kind'],
    region: each.region,
    allowed: isDecision ? allowed : false,
    reason: isDecision ? (allowed ? 'ok' : 'quota') : each.kind === 'shadow' ? 'shadow' : 'unknown_credentials',
    sampled_share: isDecision && allowed ? each.share : 1,
    cost: each.cost,
    attributes: Object.fromEntries(Object.entries(attributes).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))),
    limits: each.kind === 'unauthenticated' ? [] : [each.rule, each.second].flatMap((rule) => (rule === undefined ? [] : [limitOf({ rule_id: rule, rule_version: each.version })])),
  });
});

const decisions = events.filter(({ kind }) => kind === 'decision');
const DIMENSIONS: Readonly<Record<string, (event: DecisionEvent) => string | null>> = {
  key: ({ attributes }) => attributes['key_id'] ?? null,
  tenant: ({ attributes }) => attributes['tenant_id'] ?? null,
  rule: ({ limits }) => limits[0]?.rule_id ?? null,
  region: ({ region }) => region,
  plan: ({ attributes }) => attributes['plan'] ?? null,
  endpoint: ({ attributes }) => attributes['endpoint'] ?? null,
  ip: ({ attributes }) => attributes['ip'] ?? null,
};

/** What has to come, in plain code: it shares nothing with the service. */
function expectedRows(among: readonly DecisionEvent[], by: string | undefined, bucketMs: number | undefined): Row[] {
  const groups = new Map<string, DecisionEvent[]>();
  for (const event of among) {
    const key = JSON.stringify([bucketMs === undefined ? null : Math.floor(event.at_ms / bucketMs) * bucketMs, by === undefined ? null : (DIMENSIONS[by]?.(event) ?? null)]);
    groups.set(key, [...(groups.get(key) ?? []), event]);
  }
  return [...groups]
    .map(([key, own]) => ({ at: JSON.parse(key) as [number | null, string | null], own }))
    .sort((a, b) => (a.at[0] ?? 0) - (b.at[0] ?? 0) || (a.at[1] === b.at[1] ? 0 : a.at[1] === null ? 1 : b.at[1] === null ? -1 : Buffer.compare(Buffer.from(a.at[1]), Buffer.from(b.at[1]))))
    .map(({ at: [bucket, group], own }) => {
      const sum = (of: (event: DecisionEvent) => number): number => own.reduce((total, event) => total + of(event), 0);
      const weight = ({ sampled_share: share }: DecisionEvent): number => 1 / share;
      const passed = (event: DecisionEvent): number => (event.allowed ? 1 : 0);
      const allowed = Math.round(sum((event) => passed(event) * weight(event)));
      const refused = sum((event) => 1 - passed(event));
      const allowedCost = Math.round(sum((event) => passed(event) * weight(event) * event.cost));
      const variance = sum(({ sampled_share: share }) => (1 - share) / share ** 2);
      return {
        starts_at: bucket === null ? null : new Date(bucket).toISOString(),
        group,
        requests: allowed + refused,
        allowed,
        refused,
        cost: allowedCost + sum((event) => (1 - passed(event)) * event.cost),
        allowed_cost: allowedCost,
        // Samples are all over the range, so that a row without one may lack what was not drawn.
        sampled: true,
        standard_error: variance > 0 ? Math.round(Math.sqrt(variance) * 100) / 100 : null,
      };
    });
}

/** Sums of floats depend on their order: the last digit may be another one where they are rounded. */
function expectRows(rows: readonly Row[], expected: readonly Row[]): void {
  expect(rows.map(({ starts_at, group, refused, sampled }) => [starts_at, group, refused, sampled])).toEqual(expected.map(({ starts_at, group, refused, sampled }) => [starts_at, group, refused, sampled]));
  for (const [index, row] of rows.entries()) {
    for (const name of ['requests', 'allowed', 'cost', 'allowed_cost'] as const) expect(Math.abs(row[name] - (expected[index]?.[name] ?? Number.NaN))).toBeLessThanOrEqual(1);
    const error = expected[index]?.standard_error ?? null;
    if (error === null) expect(row.standard_error).toBeNull();
    else expect(Math.abs((row.standard_error ?? Number.NaN) - error)).toBeLessThanOrEqual(0.02);
    expect(row.requests).toBe(row.allowed + row.refused);
  }
}

let authority: ScriptedAuthority;
let log: RunningLog;
beforeAll(async () => {
  authority = await startAuthority(TOKENS);
  log = await startLog(authority.url);
  await log.store.write(events.map((event) => ({ partition: 0, event })));
}, 60_000);
afterAll(async () => {
  await log.close();
  await authority.close();
});

const ask = (path: string, query: Readonly<Record<string, string>>, token = 'viewer'): Promise<Answer> => log.get(`${path}?${new URLSearchParams(query).toString()}`, token);
const usage = async (query: Readonly<Record<string, string>>, token?: string): Promise<Row[]> => {
  const answer = await ask('/v1/usage', { ...RANGE, ...query }, token);
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
  return answer.body['usage'] as Row[];
};

describe('R82 usage', () => {
  it('of all together', async () => {
    expectRows(await usage({}), expectedRows(decisions, undefined, undefined));
    expect((await ask('/v1/usage', RANGE)).body).toMatchObject({ ...RANGE, by: null, bucket_seconds: null, next_cursor: null });
  });

  it.each(['key', 'tenant', 'rule', 'region', 'plan', 'endpoint'])('by %s, in the range as a whole and in parts', async (by) => {
    expectRows(await usage({ by }), expectedRows(decisions, by, undefined));
    expectRows(await usage({ by, bucket: '5m' }), expectedRows(decisions, by, 300_000));
  });

  it.each<[string, number]>([
    ['1s', 1_000],
    ['10s', 10_000],
    ['1m', 60_000],
    ['5m', 300_000],
    ['1h', HOUR],
    ['1d', 24 * HOUR],
  ])('in parts of %s; those without anything are left out', async (bucket, bucketMs) => {
    const rows = await usage({ bucket });
    expectRows(rows, expectedRows(decisions, undefined, bucketMs));
    if (bucket === '1s') expect(rows.length).toBeLessThan(7_200);
  });

  it.each<[Readonly<Record<string, string>>, (event: DecisionEvent) => boolean]>([
    [{ key_id: 'k2' }, ({ attributes }) => attributes['key_id'] === 'k2'],
    [{ key_id: "'; DROP TABLE decisions; --" }, ({ attributes }) => attributes['key_id'] === "'; DROP TABLE decisions; --"],
    [{ tenant_id: 'beta', region: 'us' }, ({ attributes, region }) => attributes['tenant_id'] === 'beta' && region === 'us'],
    [{ rule_id: 'login' }, ({ limits }) => limits.some(({ rule_id }) => rule_id === 'login')],
    [{ key_id: 'unheard of' }, () => false],
  ])('of %j', async (filter, holds) => {
    expectRows(await usage({ ...filter, by: 'rule', bucket: '1h' }), expectedRows(decisions.filter(holds), 'rule', HOUR));
  });

  it('the ends of the range are to the millisecond', async () => {
    const at = decisions[7]?.at_ms ?? 0;
    const from = new Date(at).toISOString();
    const here = decisions.filter(({ at_ms }) => at_ms === at);
    expectRows(await usage({ from, to: new Date(at + 1).toISOString() }), expectedRows(here, undefined, undefined));
    expectRows(await usage({ from, to: new Date(START + 2 * HOUR).toISOString(), bucket: '1h' }), expectedRows(decisions.filter(({ at_ms }) => at_ms >= at), undefined, HOUR));
  });

  it.each<[Readonly<Record<string, string>>, number]>([
    [{ by: 'key' }, 2],
    [{ by: 'key', bucket: '5m' }, 7],
    [{ by: 'endpoint', bucket: '1m' }, 100],
    [{ bucket: '1m' }, 1],
    // From within a part of time: the pages after the first must not begin before it either.
    [{ by: 'key', bucket: '1d', from: new Date(START + HOUR + 433_001).toISOString() }, 2],
  ])('%j in pages of %i lose and repeat nothing', async (query, limit) => {
    const whole = await usage(query);
    const rows: Row[] = [];
    let cursor: string | null = null;
    do {
      const { body }: Answer = await ask('/v1/usage', { ...RANGE, ...query, limit: String(limit), ...(cursor === null ? {} : { cursor }) });
      const page = body['usage'] as Row[];
      expect(page.length).toBeLessThanOrEqual(limit);
      expect(body).toMatchObject({ from: query['from'] ?? RANGE.from, to: RANGE.to });
      rows.push(...page);
      cursor = body['next_cursor'] as string | null;
    } while (cursor !== null);
    expect(rows).toEqual(whole);
  });

  it('what is stored between two pages moves none of the rows after', async () => {
    const at = START - 20 * HOUR;
    const range = { from: new Date(at).toISOString(), to: new Date(at + HOUR).toISOString(), by: 'key', bucket: '1m', limit: '2' };
    const store = (name: string, keys: readonly string[]): Promise<unknown> => log.store.write(keys.map((key_id, index) => ({ partition: 2, event: eventOf({ event_id: `${name}:${index + 1}`, at_ms: at + index, attributes: { key_id } }) })));
    await store('early', ['b', 'c', 'd', 'e']);
    const first = (await ask('/v1/usage', range)).body;
    await store('late', ['a', 'b', 'bb', 'cc', 'f']);
    const second = (await ask('/v1/usage', { ...range, cursor: String(first['next_cursor']) })).body;
    const third = (await ask('/v1/usage', { ...range, cursor: String(second['next_cursor']) })).body;
    const groups = [first, second, third].map((body) => (body['usage'] as Row[]).map(({ group }) => group));
    expect([groups, third['next_cursor']]).toEqual([[['b', 'c'], ['cc', 'd'], ['e', 'f']], null]);
  });

  it('one that somebody wrote reads no further than a question may, and breaks nothing', async () => {
    const { body } = await ask('/v1/usage', { ...RANGE, by: 'key', limit: '1' });
    const [version, digest, fromMs, toMs, bucketMs, group] = JSON.parse(Buffer.from(String(body['next_cursor']), 'base64url').toString()) as readonly unknown[];
    const status = async (...parts: readonly unknown[]): Promise<number> => (await ask('/v1/usage', { ...RANGE, by: 'key', limit: '1', cursor: Buffer.from(JSON.stringify(parts)).toString('base64url') })).status;
    expect(await status(version, digest, fromMs, toMs, bucketMs, group)).toBe(200);
    expect(await status(version, digest, 0, toMs, bucketMs, group)).toBe(400);
    expect(await status(version, digest, fromMs, 9e15, bucketMs, group)).toBe(400);
    for (const odd of ['\0', '\ud800', "' OR 1=1 --", '']) expect(await status(version, digest, fromMs, toMs, bucketMs, [odd])).toBeLessThan(500);
  });

  it('a cursor of another question is a 400', async () => {
    const { body } = await ask('/v1/usage', { ...RANGE, by: 'key', limit: '1' });
    const cursor = String(body['next_cursor']);
    for (const query of [{ by: 'plan' }, { by: 'key', bucket: '1m' }, { by: 'key', region: 'eu' }, { by: 'key', from: '2026-01-01T00:00:00Z' }]) {
      const answer = await ask('/v1/usage', { ...RANGE, limit: '1', cursor, ...query });
      expect([query, answer.status, answer.body['errors']]).toEqual([query, 400, [{ pointer: '/query/cursor', detail: expect.any(String) }]]);
    }
    expect((await ask('/v1/usage', { ...RANGE, by: 'key', cursor }, 'acme')).status).toBe(400);
    expect((await ask('/v1/usage', { ...RANGE, by: 'key', cursor })).status).toBe(200);
  });

  it('422 says which bucket would do', async () => {
    const answer = await ask('/v1/usage', { from: new Date(START - 24 * HOUR).toISOString(), to: RANGE.to, bucket: '1s' });
    expect([answer.status, answer.body['type'], answer.body['detail']]).toEqual([422, 'urn:sluice:problem:query-too-large', expect.stringContaining('bucket=10s would do')]);
  });
});

describe('R82 top', () => {
  const measured = (by: string, among: readonly DecisionEvent[]): Row[] => expectedRows(among, by, undefined).filter(({ group }) => group !== null);

  it.each(['key', 'tenant', 'ip', 'endpoint', 'rule'])('%s by refusals, exactly', async (by) => {
    const answer = await ask('/v1/top', { ...RANGE, by });
    const expected = measured(by, decisions).sort((a, b) => b.refused - a.refused);
    const top = answer.body['top'] as (Row & { first_at: string; last_at: string })[];
    expect(answer.body).toMatchObject({ by, measure: 'refused', ...RANGE });
    expect(top.map(({ refused }) => refused)).toEqual(expected.map(({ refused }) => refused));
    for (const { group, refused, first_at, last_at } of top) {
      const own = decisions.filter((event) => DIMENSIONS[by]?.(event) === group);
      expect([refused, first_at, last_at]).toEqual([own.filter(({ allowed }) => !allowed).length, new Date(Math.min(...own.map(({ at_ms }) => at_ms))).toISOString(), new Date(Math.max(...own.map(({ at_ms }) => at_ms))).toISOString()]);
    }
  });

  it('by requests, weighted; at most as many as asked for, and nobody of whom it is not known', async () => {
    const expected = measured('key', decisions).sort((a, b) => b.requests - a.requests);
    for (const limit of [1, 3, 100]) {
      const top = (await ask('/v1/top', { ...RANGE, by: 'key', measure: 'requests', limit: String(limit) })).body['top'] as Row[];
      expect(top.map(({ group }) => group)).toEqual(expected.slice(0, limit).map(({ group }) => group));
      expect(top.every(({ sampled, standard_error }) => sampled === true && (standard_error ?? 0) > 0)).toBe(true);
    }
  });

  it('who was never refused is not among those who were', async () => {
    const allowedOnly = decisions.find(({ allowed, at_ms }) => allowed && decisions.filter((other) => other.at_ms === at_ms).length === 1);
    const at = allowedOnly?.at_ms ?? 0;
    const range = { from: new Date(at).toISOString(), to: new Date(at + 1).toISOString() };
    expect((await ask('/v1/top', { ...range, by: 'endpoint' })).body['top']).toEqual([]);
    expect((await ask('/v1/top', { ...range, by: 'endpoint', measure: 'requests' })).body['top']).toHaveLength(1);
  });
});

describe('R58 the history of a rule in shadow', () => {
  it.each(['search', 'proposed:search', 'unheard-of'])('of %s', async (rule) => {
    const own = events.filter(({ kind, limits }) => kind === 'shadow' && limits.some(({ rule_id }) => rule_id === rule));
    const { status, body } = await ask('/v1/shadow-report', { ...RANGE, rule_id: rule, bucket: '1h' });
    const count = (of: (event: DecisionEvent) => string | null): Record<string, number> => own.reduce<Record<string, number>>((counts, event) => ({ ...counts, [String(of(event))]: (counts[String(of(event))] ?? 0) + 1 }), {});
    expect(status).toBe(200);
    expect(body).toMatchObject({ rule_id: rule, ...RANGE, sampled: false, standard_error: 0, would_refuse: own.length, keys: Object.keys(count(({ attributes }) => attributes['key_id'] ?? null)).filter((key) => key !== 'null').length, bucket_seconds: 3_600 });
    expect(String(body['counts'])).toMatch('Events that nodes sent');
    const named = (list: string, name: string): Record<string, number> => Object.fromEntries((body[list] as Record<string, unknown>[]).map((each) => [String(each[name]), Number(each['would_refuse'])]));
    expect(named('by_key', 'key_id')).toEqual(count(({ attributes }) => attributes['key_id'] ?? null));
    expect(named('by_version', 'version')).toEqual(count(({ limits }) => String(limits[0]?.rule_version)));
    expect(named('over_time', 'starts_at')).toEqual(count(({ at_ms }) => new Date(Math.floor(at_ms / HOUR) * HOUR).toISOString()));
    const mostFirst = (body['by_key'] as { would_refuse: number }[]).map(({ would_refuse }) => would_refuse);
    expect(mostFirst).toEqual([...mostFirst].sort((a, b) => b - a));
  });

  it('chooses parts that make 200 at most', async () => {
    const lengths = [[60_000, 1], [HOUR, 60], [24 * HOUR, 3_600], [31 * 24 * HOUR, 86_400]] as const;
    for (const [spanMs, seconds] of lengths) {
      const nowMs = Date.now();
      const { body } = await ask('/v1/shadow-report', { rule_id: 'search', from: new Date(nowMs - spanMs).toISOString(), to: new Date(nowMs).toISOString() });
      expect([spanMs, body['bucket_seconds']]).toEqual([spanMs, seconds]);
    }
  });
});

describe('R82 tenants apart', () => {
  it.each(['acme', 'beta'] as const)('%s sees its own alone, by whatever it asks', async (tenant) => {
    const own = decisions.filter(({ attributes }) => attributes['tenant_id'] === tenant);
    expectRows(await usage({}, tenant), expectedRows(own, undefined, undefined));
    for (const by of ['key', 'rule', 'endpoint']) {
      expectRows(await usage({ by }, tenant), expectedRows(own, by, undefined));
      const top = (await ask('/v1/top', { ...RANGE, by, limit: '100' }, tenant)).body['top'] as Row[];
      expect(top.reduce((sum, { refused }) => sum + refused, 0)).toBe(own.filter((event) => !event.allowed && DIMENSIONS[by]?.(event) !== null).length);
    }
    expectRows(await usage({ key_id: 'k1', tenant_id: tenant }, tenant), expectedRows(own.filter(({ attributes }) => attributes['key_id'] === 'k1'), undefined, undefined));
  });

  it('who has nothing is told nothing', async () => {
    expect(await usage({ by: 'key' }, 'nobody')).toEqual([]);
    expect((await ask('/v1/top', { ...RANGE, by: 'key' }, 'nobody')).body['top']).toEqual([]);
  });

  it.each<[string, Readonly<Record<string, string>>]>([
    ['/v1/usage', { tenant_id: 'beta' }],
    ['/v1/usage', { by: 'tenant' }],
    ['/v1/usage', { by: 'region' }],
    ['/v1/usage', { by: 'plan' }],
    ['/v1/top', { by: 'key', tenant_id: 'beta' }],
    ['/v1/top', { by: 'tenant' }],
    ['/v1/top', { by: 'ip' }],
    ['/v1/shadow-report', { rule_id: 'search' }],
  ])('403 at %s for %j', async (path, query) => {
    const answer = await ask(path, { ...RANGE, ...query }, 'acme');
    expect([answer.status, answer.body['type']]).toEqual([403, 'urn:sluice:problem:forbidden']);
  });
});

describe('R82 what is asked wrongly is named', () => {
  const soon = new Date(Date.now() + 60_000).toISOString();
  it.each<[string, string, string]>([
    ['/v1/usage', 'by=user', '/query/by'],
    ['/v1/usage', 'by=key&by=key', '/query/by'],
    ['/v1/usage', 'bucket=2m', '/query/bucket'],
    ['/v1/usage', 'bucket=60', '/query/bucket'],
    ['/v1/usage', 'limit=0', '/query/limit'],
    ['/v1/usage', 'limit=10001', '/query/limit'],
    ['/v1/usage', 'limit=1e3', '/query/limit'],
    ['/v1/usage', 'cursor=', '/query/cursor'],
    ['/v1/usage', 'cursor=nonsense', '/query/cursor'],
    ['/v1/usage', 'cursor=%00', '/query/cursor'],
    ['/v1/usage', `cursor=${Buffer.from('[1,"x",0,1,null,[]]').toString('base64url')}`, '/query/cursor'],
    ['/v1/usage', 'key_id=', '/query/key_id'],
    ['/v1/usage', `key_id=${'x'.repeat(8_193)}`, '/query/key_id'],
    ['/v1/usage', 'tenant_id=a%00b', '/query/tenant_id'],
    ['/v1/usage', 'rule_id=a&rule_id=b', '/query/rule_id'],
    ['/v1/usage', 'from=yesterday', '/query/from'],
    ['/v1/usage', 'from=2026-02-30T00:00:00Z', '/query/from'],
    ['/v1/usage', 'to=2026-01-01T00:00:00', '/query/to'],
    ['/v1/usage', 'from=2026-01-01T00:00:00Z&to=2026-01-01T00:00:00Z', '/query/from'],
    ['/v1/usage', 'from=2026-01-01T00:00:00Z&to=2026-02-01T00:00:00.001Z', '/query/from'],
    ['/v1/usage', `from=${soon}`, '/query/from'],
    ['/v1/usage', 'keyid=x', '/query/keyid'],
    ['/v1/usage', '__proto__=x', '/query/__proto__'],
    ['/v1/top', '', '/query/by'],
    ['/v1/top', 'by=plan', '/query/by'],
    ['/v1/top', 'by=key&measure=cost', '/query/measure'],
    ['/v1/top', 'by=key&limit=101', '/query/limit'],
    ['/v1/top', 'by=key&limit=0', '/query/limit'],
    ['/v1/top', `by=key&from=${soon}`, '/query/from'],
    ['/v1/top', 'by=key&cursor=x', '/query/cursor'],
    ['/v1/shadow-report', '', '/query/rule_id'],
    ['/v1/shadow-report', 'rule_id=', '/query/rule_id'],
    ['/v1/shadow-report', 'rule_id=x&bucket=1w', '/query/bucket'],
    ['/v1/shadow-report', `rule_id=x&from=${soon}`, '/query/from'],
    ['/v1/shadow-report', 'rule_id=x&key_id=y', '/query/key_id'],
  ])('400 for %s?%s', async (path, query, pointer) => {
    const answer = await log.get(`${path}?${query}`);
    expect(answer.status).toBe(400);
    expect(answer.headers.get('content-type')).toMatch('application/problem+json');
    expect((answer.body['errors'] as { pointer: string }[]).map((fault) => fault.pointer)).toEqual([pointer]);
  });

  it('every answer was as the OpenAPI document says, and each kind was there', () => {
    expect([...log.documented.seen]).toEqual(expect.arrayContaining(['getUsage 200', 'getUsage 400', 'getUsage 403', 'getUsage 422', 'getTop 200', 'getTop 400', 'getTop 403', 'getShadowHistory 200', 'getShadowHistory 400', 'getShadowHistory 403']));
  });
});

describe('R82 the error that is stated', () => {
  it('holds: the true count lies within twice of it as often as it should', async () => {
    // 1,000 requests a group that pass, of which each is recorded with the share; 200 groups are 200 draws.
    const random = mulberry(7);
    const share = 0.05;
    const draws = Array.from({ length: 200 }, (_, group) => Array.from({ length: 1_000 }, () => random()).filter((drawn) => drawn < share).map(() => `g${group}`)).flat();
    const at = START - 10 * HOUR;
    await log.store.write(draws.map((key_id, index) => ({ partition: 1, event: eventOf({ event_id: `draws:${index + 1}`, at_ms: at + index, sampled_share: share, attributes: { key_id } }) })));
    const rows = await usage({ by: 'key', from: new Date(at).toISOString(), to: new Date(at + HOUR).toISOString() });
    expect(rows).toHaveLength(200);
    const within = (times: number): number => rows.filter(({ requests, standard_error }) => Math.abs(requests - 1_000) <= times * (standard_error ?? 0)).length / rows.length;
    expect(within(1)).toBeGreaterThan(0.58);
    expect(within(1)).toBeLessThan(0.78);
    expect(within(2)).toBeGreaterThan(0.91);
    expect(within(3)).toBeGreaterThan(0.98);
  });
});

/** A small generator with a seed. */
function mulberry(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
