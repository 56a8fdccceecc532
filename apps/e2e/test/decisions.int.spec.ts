import { sharedPostgres, type TestDatabase } from '@sluice/testkit';
import type { DecisionEvent } from '@sluice/events';
import { BUILD_TIMEOUT_MS, buildApps } from './support/build-apps.js';
import { decisionEvent, refusingLimit } from './support/decision-event.js';
import { type StoryLog, startStoryLog } from './support/decision-log.js';
import { endPrograms } from './support/program.js';
import { type RulesAdminProcess, startRulesAdmin } from './support/rules-admin.js';

const TIMEOUT_MS = 60_000;

interface Page {
  readonly decisions: readonly { readonly event_id: string; readonly at: string; readonly node_id?: string; readonly kind: string }[];
  readonly next_cursor: string | null;
  readonly from: string;
  readonly to: string;
}

describe('R82 single decisions', () => {
  const nowMs = Date.now();
  let database: TestDatabase;
  let admin: RulesAdminProcess;
  let log: StoryLog;
  let tenantToken: string;

  const store = (...events: readonly DecisionEvent[]): Promise<unknown> => log.store.write(events.map((event) => ({ partition: 0, event })));

  async function page(query: Readonly<Record<string, string>>, token?: string): Promise<Page> {
    const answer = await log.get(`/v1/decisions?${new URLSearchParams(query).toString()}`, token);
    if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
    return answer.json() as Page;
  }
  const idsOf = async (query: Readonly<Record<string, string>>, token?: string): Promise<readonly string[]> => (await page(query, token)).decisions.map(({ event_id }) => event_id);

  const attributes = { key_id: 'k1', tenant_id: 'acme', ip: '203.0.113.9', user_id: 'u1', endpoint: 'GET /a' };
  const old = decisionEvent({ at_ms: nowMs - 7_200_000, attributes });
  const allowed = decisionEvent({ at_ms: nowMs - 4_000, attributes, allowed: true, reason: 'ok', retry_after_ms: null, sampled_share: 0.01, limits: [refusingLimit({ allowed: true, reason: 'ok', remaining: 4, retry_ms: 0 })] });
  const refused = decisionEvent({ at_ms: nowMs - 3_000, attributes, limits: [refusingLimit(), refusingLimit({ policy: 'daily', rule_id: 'daily', allowed: true, reason: 'ok' })] });
  const never = decisionEvent({ at_ms: nowMs - 2_000, attributes: { ...attributes, key_id: 'k2', endpoint: 'GET /b' }, region: 'us', reason: 'cost_exceeds_limit', retry_after_ms: null, limits: [refusingLimit({ reason: 'cost_exceeds_limit', retry_ms: -1 })] });
  const shadow = decisionEvent({ at_ms: nowMs - 1_500, attributes, kind: 'shadow', reason: 'shadow', retry_after_ms: null });
  const stranger = decisionEvent({ at_ms: nowMs - 1_000, attributes: { ip: '198.51.100.7' }, kind: 'unauthenticated', reason: 'unknown_credentials', source: 'none', retry_after_ms: null, limits: [] });
  const others = decisionEvent({ at_ms: nowMs - 500, attributes: { key_id: 'k9', tenant_id: 'other' } });

  beforeAll(async () => {
    await buildApps();
    database = await sharedPostgres();
    admin = await startRulesAdmin(database.url);
    await admin.api.put('/v1/plans/free', {}, { 'if-none-match': '*' });
    await admin.api.put('/v1/tenants/acme', { name: 'Acme', plan_id: 'free' }, { 'if-none-match': '*' });
    tenantToken = ((await admin.api.send('POST', '/v1/tokens', { name: 'acme-portal', role: 'tenant', tenant_id: 'acme' })).json() as { token: string }).token;
    log = await startStoryLog(admin.url);
    await store(old, allowed, refused, never, shadow, stranger, others);
  }, BUILD_TIMEOUT_MS);

  afterAll(async () => {
    await log.close();
    await endPrograms();
    await database.drop();
  }, TIMEOUT_MS);

  const ids = (...events: readonly DecisionEvent[]): readonly string[] => events.map(({ event_id }) => event_id);

  it.each<[string, Record<string, string>, readonly DecisionEvent[]]>([
    ['the last hour', {}, [others, never, refused, allowed]],
    ['since longer', { from: new Date(nowMs - 86_400_000).toISOString() }, [others, never, refused, allowed, old]],
    ['until then', { to: new Date(refused.at_ms).toISOString() }, [allowed]],
    ['with an offset', { from: '2026-01-01T00:00:00+01:00', to: new Date(nowMs - 3_600_000).toISOString() }, [old]],
    ['of a key', { key_id: 'k1' }, [refused, allowed]],
    ['of a tenant', { tenant_id: 'other' }, [others]],
    ['of an address', { ip: '203.0.113.9', allowed: 'true' }, [allowed]],
    ['of a user', { user_id: 'u1', reason: 'quota' }, [refused]],
    ['to an endpoint', { endpoint: 'GET /b' }, [never]],
    ['by any of the limits', { rule_id: 'daily' }, [refused]],
    ['of a region', { region: 'us' }, [never]],
    ['by reason', { reason: 'cost_exceeds_limit' }, [never]],
    ['refused ones', { allowed: 'false' }, [others, never, refused]],
    ['in shadow', { kind: 'shadow' }, [shadow]],
    ['without credentials', { kind: 'unauthenticated' }, [stranger]],
    ['whatever happened', { kind: 'any', key_id: 'k1' }, [shadow, refused, allowed]],
    ['none', { key_id: 'nobody' }, []],
  ])('%s', async (_name, query, expected) => {
    expect(await idsOf(query)).toEqual(ids(...expected));
  });

  it('says all of an event, with times in ISO 8601 and spans in seconds', async () => {
    const [decision] = (await page({ reason: 'cost_exceeds_limit' })).decisions;
    expect(decision).toEqual({
      event_id: never.event_id,
      kind: 'decision',
      at: new Date(never.at_ms).toISOString(),
      key_id: 'k2',
      allowed: false,
      reason: 'cost_exceeds_limit',
      source: 'store',
      cost: 1,
      retry_after_seconds: null,
      attributes: never.attributes,
      limits: [{ policy: 'default', rule_id: 'free-default', rule_version: 1, override_id: null, allowed: false, limit: 60, window_seconds: 60, remaining: 0, reset_seconds: 41.2, retry_after_seconds: null, source: 'store', reason: 'cost_exceeds_limit' }],
      snapshot_version: 1,
      sampled_share: 1,
      region: 'us',
      app: 'gateway',
      node_id: 'gateway-7f9c',
    });
  });

  it('pages lose and repeat nothing, whatever is stored meanwhile; all have the range of the first', async () => {
    const key_id = 'paged';
    const of = (at_ms: number): DecisionEvent => decisionEvent({ at_ms, attributes: { key_id } });
    const events = Array.from({ length: 25 }, (_, at) => of(nowMs - 60_000 - Math.floor(at / 4) * 10));
    await store(...events);
    const first = await page({ key_id, limit: '4' });
    const seen: string[] = [];
    for (let next: Page | undefined = first; next !== undefined; ) {
      expect([next.from, next.to]).toEqual([first.from, first.to]);
      seen.push(...next.decisions.map(({ event_id }) => event_id));
      await store(of(nowMs));
      next = next.next_cursor === null ? undefined : await page({ key_id, limit: '4', cursor: next.next_cursor });
    }
    expect([...seen].sort()).toEqual([...ids(...events)].sort());
    const { decisions } = await page({ key_id, limit: '500' });
    expect([...decisions].map(({ at }) => at)).toEqual(decisions.map(({ at }) => at).sort().reverse());
    expect(first.decisions).toHaveLength(4);
  }, TIMEOUT_MS);

  it('a cursor belongs to its question and to who asked', async () => {
    const { next_cursor: cursor } = await page({ key_id: 'k1', limit: '1' });
    for (const [query, token] of [[{ key_id: 'k2' }, undefined], [{ key_id: 'k1', allowed: 'true' }, undefined], [{ key_id: 'k1' }, tenantToken]] as const) {
      const answer = await log.get(`/v1/decisions?${new URLSearchParams({ ...query, cursor: cursor ?? '' }).toString()}`, token);
      expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('/query/cursor')]);
    }
    expect(await idsOf({ key_id: 'k1', limit: '2', cursor: cursor ?? '' })).toEqual(ids(allowed));
  });

  it("a tenant's token sees its own decisions, without nodes", async () => {
    expect(await idsOf({}, tenantToken)).toEqual(ids(never, refused, allowed));
    expect(await idsOf({ kind: 'any' }, tenantToken)).toEqual(ids(never, refused, allowed));
    expect((await page({}, tenantToken)).decisions.some((decision) => 'node_id' in decision)).toBe(false);
    for (const query of ['tenant_id=other', 'kind=shadow', 'kind=unauthenticated']) expect((await log.get(`/v1/decisions?${query}`, tenantToken)).status).toBe(403);
    expect(await idsOf({ tenant_id: 'acme', key_id: 'k9' }, tenantToken)).toEqual([]);
  });

  it.each([
    ['limit=0', '/query/limit'],
    ['limit=501', '/query/limit'],
    ['limit=1&limit=2', '/query/limit'],
    ['cursor=%00', '/query/cursor'],
    ['cursor=e30', '/query/cursor'],
    ['from=2026-01-01', '/query/from'],
    ['from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z', '/query/from'],
    ['allowed=yes', '/query/allowed'],
    ['kind=all', '/query/kind'],
    ['reason=', '/query/reason'],
    ['key_id=', '/query/key_id'],
    ['key_id=a%00', '/query/key_id'],
    [`key_id=${'x'.repeat(8_193)}`, '/query/key_id'],
    [`region=${'x'.repeat(257)}`, '/query/region'],
    ['key_id=a&key_id=b', '/query/key_id'],
    ['keyid=a', '/query/keyid'],
  ])('a parameter that is none is named: %s', async (query, pointer) => {
    const answer = await log.get(`/v1/decisions?${query}`);
    expect([answer.status, (answer.json() as { errors: { pointer: string }[] }).errors[0]?.pointer]).toEqual([400, pointer]);
  });

  it('a store that is away is a 503 that says when to come again', async () => {
    await log.store.close();
    for (const path of ['/v1/decisions', '/v1/decisions:explain?event_id=story:1', '/v1/decisions:explain?key_id=k1&at=2026-01-31T14:02:00Z']) {
      const answer = await log.get(path);
      expect([answer.status, answer.headers['retry-after'], (answer.json() as { type: string }).type]).toEqual([503, '2', 'urn:sluice:problem:store-unavailable']);
    }
  });
});
