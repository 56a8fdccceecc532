import { randomUUID } from 'node:crypto';
import { sharedPostgres, type TestDatabase } from '@sluice/testkit';
import type { DecisionEvent } from '@sluice/events';
import { BUILD_TIMEOUT_MS, buildApps } from './support/build-apps.js';
import { decisionEvent, refusingLimit } from './support/decision-event.js';
import { type StoryLog, startStoryLog } from './support/decision-log.js';
import { endPrograms } from './support/program.js';
import { type RulesAdminProcess, startRulesAdmin } from './support/rules-admin.js';
import { until } from './support/until.js';

const TIMEOUT_MS = 60_000;
const RULE = { plan: 'free', endpoint: 'GET /v1/items/{id}', limit: 60, window_seconds: 60 };

interface Explanation {
  readonly found: string;
  readonly sentence: string;
  readonly notes: readonly string[];
  readonly decision?: { readonly event_id: string; readonly node_id?: string };
  readonly seconds_from_at?: number;
  readonly told?: object;
  readonly limits: readonly { readonly rule: { readonly state: string; readonly text: { readonly limit?: number } | null }; readonly override: { readonly state: string; readonly reason?: string } | null; readonly in_force_now: { readonly limit: number } | null }[];
  readonly around?: object;
  readonly control_plane_answered: boolean;
}

describe('R82 why was this key refused?', () => {
  let database: TestDatabase;
  let admin: RulesAdminProcess;
  let log: StoryLog;
  let tenantToken: string;

  async function changed(method: 'PUT' | 'POST' | 'DELETE', path: string, body: object | undefined, headers: Readonly<Record<string, string>>): Promise<Record<string, unknown>> {
    const answer = method === 'PUT' ? await admin.api.put(path, body ?? {}, headers) : await admin.api.send(method, path, body, headers);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.text === '' ? {} : (answer.json() as Record<string, unknown>);
  }
  const created = (path: string, body: object): Promise<object> => changed('PUT', path, body, { 'if-none-match': '*' });
  const snapshotVersion = async (): Promise<number> => ((await admin.api.get('/v1/snapshot')).json() as { version: number }).version;
  const store = (...events: readonly DecisionEvent[]): Promise<unknown> => log.store.write(events.map((event) => ({ partition: 0, event })));

  async function explained(question: Readonly<Record<string, string>>, token?: string): Promise<Explanation> {
    const answer = await log.get(`/v1/decisions:explain?${new URLSearchParams(question).toString()}`, token);
    if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
    return answer.json() as Explanation;
  }
  const explainedById = (event: DecisionEvent, token?: string): Promise<Explanation> => explained({ event_id: event.event_id }, token);

  beforeAll(async () => {
    await buildApps();
    database = await sharedPostgres();
    admin = await startRulesAdmin(database.url);
    await created('/v1/plans/free', { default_limit: { limit: 600, window_seconds: 3600 } });
    await created('/v1/tenants/acme', { name: 'Acme', plan_id: 'free' });
    await created('/v1/rules/free-default', RULE);
    for (const key_id of ['k1', 'k2']) await changed('POST', '/v1/keys', { tenant_id: 'acme', name: key_id, key_id }, {});
    const token = await changed('POST', '/v1/tokens', { name: 'acme-portal', role: 'tenant', tenant_id: 'acme' }, {});
    tenantToken = String(token['token']);
    log = await startStoryLog(admin.url);
  }, BUILD_TIMEOUT_MS);

  afterAll(async () => {
    await log.close();
    await endPrograms();
    await database.drop();
  }, TIMEOUT_MS);

  it('by an override that has since expired, of a rule that has since changed', async () => {
    const expires_at = new Date(Date.now() + 1_500).toISOString();
    const { override_id } = await changed('POST', '/v1/overrides', { key_id: 'k1', rule_id: 'free-default', limit: 20, expires_at, reason: 'abuse suspected' }, { 'idempotency-key': randomUUID() });
    const refusal = decisionEvent({ at_ms: Date.now(), snapshot_version: await snapshotVersion(), limits: [refusingLimit({ override_id: String(override_id), limit: 20 })] });
    await store(refusal);
    expect(await explainedById(refusal)).toMatchObject({ limits: [{ rule: { state: 'unchanged' }, override: { state: 'live' }, in_force_now: { limit: 20 } }] });

    await changed('PUT', '/v1/rules/free-default', { ...RULE, limit: 100 }, { 'if-match': '"v1"' });
    await until(async () => Date.now() > Date.parse(expires_at));
    const why = await explained({ key_id: 'k1', at: new Date(refusal.at_ms + 20_000).toISOString() });
    expect(why).toMatchObject({
      found: 'refusal',
      decision: { event_id: refusal.event_id, node_id: 'gateway-7f9c', region: 'eu', source: 'store' },
      seconds_from_at: -20,
      told: { status: 429, retry_after_seconds: 12 },
      limits: [
        {
          deciding: true,
          limit: 20,
          remaining: 0,
          window_seconds: 60,
          reset_seconds: 41.2,
          rule_version: 1,
          rule: { state: 'changed', text: { ...RULE, rule_id: 'free-default', version: 1 }, now: { limit: 100, version: 2 } },
          override: { override_id, state: 'expired', limit: 20, expires_at, ended_at: expires_at, reason: 'abuse suspected' },
          in_force_known: true,
          in_force_now: { rule_id: 'free-default', rule_version: 2, override_id: null, limit: 100, window_seconds: 60 },
        },
      ],
      // Nothing that passed is recorded, so that nobody knows whether it is sampled.
      around: { refused: 1, requests: 1, sampled: null, standard_error: null },
      control_plane_answered: true,
    });
    expect(why.sentence).toMatch(/^On \d+ \w+ 2\d{3} at [\d:]+ UTC, a request to GET \/v1\/items\/\{id\} with your API key k1 was refused because the temporary limit of 20 requests per minute was used up; the answer said to wait 12 seconds, until [\d:]+ UTC[^.]*\. The temporary limit ended at [\d:]+ UTC[^.]*\. Your limit is now 100 requests per minute\.$/);
    expect(why.notes.join('\n')).toMatch(/node gateway-7f9c[^]*Rule free-default was at version 1; now it is at 2 \(at .* by token:environment\)[^]*expired at/);

    const theirs = await explained({ key_id: 'k1', at: new Date(refusal.at_ms).toISOString() }, tenantToken);
    expect(theirs.sentence).toBe(why.sentence);
    expect(theirs.limits[0]?.rule.text).toEqual({ rule_id: 'free-default', version: 1, endpoint: RULE.endpoint, limit: 60, window_seconds: 60 });
    expect(JSON.stringify(theirs)).not.toMatch(/gateway-7f9c|token:environment|abuse suspected/);
  }, TIMEOUT_MS);

  it('by a rule that is gone, the default limit of a plan, and a proposed version', async () => {
    await created('/v1/rules/login', { endpoint: 'POST /login', limit: 5, window_seconds: 1, policy: 'login', algorithm: 'token_bucket', burst: 10 });
    const attributes = { key_id: 'k1', tenant_id: 'acme', plan: 'free', endpoint: 'POST /login' };
    const byLogin = refusingLimit({ policy: 'login', rule_id: 'login', limit: 5, window_ms: 1_000 });
    const byPlan = refusingLimit({ rule_id: 'plan:free', limit: 600, window_ms: 3_600_000 });
    const gone = decisionEvent({ at_ms: Date.now(), snapshot_version: await snapshotVersion(), attributes, limits: [byLogin, byPlan] });
    await created('/v1/rules/free-default/proposal', { ...RULE, limit: 30 });
    const tried = decisionEvent({ at_ms: Date.now(), kind: 'shadow', reason: 'shadow', retry_after_ms: null, limits: [refusingLimit({ rule_id: 'proposed:free-default', limit: 30 })] });
    await changed('DELETE', '/v1/rules/login', undefined, { 'if-match': '*' });
    await store(gone, tried);
    const why = await explainedById(gone);
    expect(why.limits).toMatchObject([
      { rule: { state: 'deleted', text: { limit: 5, burst: 10 } }, in_force_known: true, in_force_now: null },
      { rule: { state: 'unchanged', text: { plan_id: 'free', default_limit: { limit: 600 } } }, in_force_now: { rule_id: 'plan:free', limit: 600 } },
    ]);
    expect(why.sentence).toMatch(/the limit of 5 requests per second \(at most 10 at once\) was used up; .* The limit of 600 requests per hour would not have let it through either\. No such limit applies to your requests any more\.$/);
    expect(await explainedById(tried)).toMatchObject({ found: 'shadow', limits: [{ rule: { state: 'unchanged', text: { limit: 30 } } }] });
    // What is tried out is not the customer's to see.
    expect((await log.get(`/v1/decisions:explain?event_id=${tried.event_id}`, tenantToken)).status).toBe(404);
  }, TIMEOUT_MS);

  it('takes the refusal nearest to the time, else the nearest decision, else says that nothing is recorded', async () => {
    const atMs = Date.now() - 3_600_000;
    const at = new Date(atMs).toISOString();
    const attributes = { key_id: 'k2', tenant_id: 'acme', plan: 'free' };
    const passed = { allowed: true, reason: 'ok', retry_after_ms: null, sampled_share: 0.1, limits: [refusingLimit({ allowed: true, reason: 'ok', remaining: 41, retry_ms: 0 })] };
    expect(await explained({ key_id: 'k2', at })).toMatchObject({ found: 'nothing', limits: [], sentence: expect.stringMatching(/^Between .* no refused request with your API key k2 is recorded\. Of requests that pass only a part is recorded, so there may have been some\.$/) });

    expect((await explained({ key_id: 'nobody', at })).notes).toEqual(expect.arrayContaining([expect.stringContaining('knows no key nobody'), expect.stringContaining('under the address')]));
    await changed('POST', '/v1/keys', { tenant_id: 'acme', name: 'off', key_id: 'off' }, {});
    expect((await admin.api.send('PATCH', '/v1/keys/off', { disabled: true }, { 'if-match': '*' })).status).toBe(200);
    expect((await explained({ key_id: 'off', at })).notes.join()).toContain('The key is disabled now');

    const near = decisionEvent({ at_ms: atMs + 100, attributes, ...passed });
    await store(near);
    const nearest = await explained({ key_id: 'k2', at });
    expect(nearest).toMatchObject({ found: 'decision', decision: { event_id: near.event_id }, around: { refused: 0, requests: 10, sampled: true } });
    expect(nearest.told).toBeUndefined();
    expect(nearest.sentence).toMatch(/^Between .* no refused request with your API key k2 is recorded\. On .* was not refused: after it, 41 of the limit of 60 requests per minute were left\.$/);

    const [earlier, later, elsewhere] = [decisionEvent({ at_ms: atMs - 20_000, attributes }), decisionEvent({ at_ms: atMs + 15_000, attributes }), decisionEvent({ at_ms: atMs + 30_000, attributes: { ...attributes, endpoint: 'GET /other' } })];
    await store(earlier, later, elsewhere);
    expect((await explained({ key_id: 'k2', at })).decision?.event_id).toBe(later.event_id);
    expect((await explained({ key_id: 'k2', at, window_seconds: '10' })).decision?.event_id).toBe(near.event_id);
    expect((await explained({ key_id: 'k2', at: new Date(atMs - 3_000).toISOString() })).decision?.event_id).toBe(earlier.event_id);
    expect((await explained({ key_id: 'k2', at, endpoint: 'GET /other' })).decision?.event_id).toBe(elsewhere.event_id);
    expect((await explained({ event_id: earlier.event_id, at })).decision?.event_id).toBe(earlier.event_id);
  }, TIMEOUT_MS);

  it('a tenant sees its own alone', async () => {
    const others = decisionEvent({ at_ms: Date.now(), attributes: { key_id: 'k9', tenant_id: 'other' } });
    await store(others);
    expect((await explainedById(others)).found).toBe('refusal');
    expect((await log.get(`/v1/decisions:explain?event_id=${others.event_id}`, tenantToken)).status).toBe(404);
    expect(await explained({ key_id: 'k9', at: new Date(others.at_ms).toISOString() }, tenantToken)).toMatchObject({ found: 'nothing', notes: [] });
  }, TIMEOUT_MS);

  it('of a key that is gone, or that somebody else has by now, a tenant learns nothing that came later', async () => {
    await created('/v1/plans/gold', { default_limit: { limit: 777_777, window_seconds: 3600 } });
    await created('/v1/tenants/rival', { name: 'Rival', plan_id: 'gold' });
    await created('/v1/rules/moved', { plan: 'free', endpoint: 'GET /moved', limit: 60, window_seconds: 60 });
    await changed('POST', '/v1/keys', { tenant_id: 'acme', name: 'moved', key_id: 'moved' }, {});
    const attributes = { key_id: 'moved', tenant_id: 'acme', plan: 'free', endpoint: 'GET /moved' };
    const refusal = decisionEvent({ at_ms: Date.now(), snapshot_version: await snapshotVersion(), attributes, limits: [refusingLimit({ rule_id: 'moved' }), refusingLimit({ policy: 'plan', rule_id: 'plan:free', limit: 600, window_ms: 3_600_000 })] });
    await store(refusal);
    await changed('PUT', '/v1/rules/moved', { plan: 'free', endpoint: 'GET /moved', limit: 100, window_seconds: 60 }, { 'if-match': '"v1"' });
    expect((await explainedById(refusal, tenantToken)).sentence).toMatch(/Your limit is now 100 requests per minute\.$/);

    await changed('DELETE', '/v1/keys/moved', undefined, { 'if-match': '*' });
    const gone = await explainedById(refusal, tenantToken);
    expect(gone.limits[0]).toMatchObject({ rule: { state: 'unknown', text: { limit: 60 } }, in_force_now: null });
    expect((await explainedById(refusal)).notes).toContain('The key has been deleted.');

    await changed('POST', '/v1/keys', { tenant_id: 'rival', name: 'moved', key_id: 'moved' }, {});
    await created('/v1/rules/of-the-rival', { plan: 'gold', endpoint: 'GET /moved', limit: 4_242, window_seconds: 60 });
    const theirs = await explainedById(refusal, tenantToken);
    expect(theirs).toEqual(gone);
    expect(JSON.stringify(theirs)).not.toMatch(/777|4,?242|rival|gold/);
    const operators = await explainedById(refusal);
    expect(operators.notes.join('\n')).toMatch(/The key is of tenant rival now, and was of tenant acme then[^]*on plan free then and is on plan gold now/);
    expect(operators.sentence).toBe(theirs.sentence);
  }, TIMEOUT_MS);

  it('by the limit of then, and in the words of now: calendar, scope, policy, the burst of an override', async () => {
    const refusedBy = async (rule_id: string, endpoint: string, more: object = {}): Promise<DecisionEvent> => {
      const event = decisionEvent({ at_ms: Date.now(), snapshot_version: await snapshotVersion(), attributes: { key_id: 'k1', tenant_id: 'acme', plan: 'free', endpoint }, limits: [refusingLimit({ policy: rule_id, rule_id, ...more })] });
      await store(event);
      return event;
    };
    const sentence = async (event: DecisionEvent): Promise<string> => (await explainedById(event)).sentence;

    const day = { plan: 'free', endpoint: 'GET /day', policy: 'day', algorithm: 'fixed_window', limit: 60 };
    await created('/v1/rules/day', { ...day, calendar: { unit: 'day', time_zone: 'Europe/Berlin' } });
    const onCalendar = await refusedBy('day', 'GET /day', { window_ms: 86_400_000 });
    await changed('PUT', '/v1/rules/day', { ...day, limit: 200, window_seconds: 86_400 }, { 'if-match': '"v1"' });
    expect(await sentence(onCalendar)).toMatch(/limit of 60 requests per day \(Europe\/Berlin\) was used up;.* Your limit is now 200 requests per day\.$/);

    const scoped = { plan: 'free', endpoint: 'GET /scoped', policy: 'scoped', limit: 60, window_seconds: 60 };
    await created('/v1/rules/scoped', scoped);
    const before = await refusedBy('scoped', 'GET /scoped');
    await changed('PUT', '/v1/rules/scoped', { ...scoped, policy: 'other', limit: 600, count_by: ['tenant_id'] }, { 'if-match': '"v1"' });
    expect(await sentence(before)).toMatch(/ Your limit is now 600 requests per minute for your whole account\.$/);

    await created('/v1/rules/shaped', { plan: 'free', endpoint: 'GET /shaped', policy: 'shaped', limit: 60, window_seconds: 60, algorithm: 'leaky_bucket', shape: true, burst: 30, consistency: 'exact' });
    const { override_id } = await changed('POST', '/v1/overrides', { key_id: 'k1', rule_id: 'shaped', limit: 6, burst: 3, expires_at: new Date(Date.now() + 600_000).toISOString() }, { 'idempotency-key': randomUUID() });
    expect(await sentence(await refusedBy('shaped', 'GET /shaped', { limit: 6, override_id: String(override_id) }))).toMatch(/at an even pace of 6 requests per minute, and 3 were waiting for their turn already, which is as many as may;/);
  }, TIMEOUT_MS);

  it.each([
    ['', ['/query/key_id', '/query/at']],
    ['key_id=k1', ['/query/at']],
    ['key_id=k1&at=yesterday', ['/query/at']],
    ['key_id=k1&at=2026-02-30T00:00:00Z', ['/query/at']],
    ['key_id=k1&at=2026-01-01T00:00:00Z&window_seconds=86401', ['/query/window_seconds']],
    ['key_id=k1&at=2026-01-01T00:00:00Z&window_seconds=-1', ['/query/window_seconds']],
    ['key_id=k1&event_id=story:1', ['/query/key_id']],
    ['event_id=story', ['/query/event_id']],
    ['event_id=story:1&when=now', ['/query/when']],
  ])('a question that is none: %s', async (query, pointers) => {
    const answer = await log.get(`/v1/decisions:explain?${query}`);
    expect([answer.status, (answer.json() as { errors: { pointer: string }[] }).errors.map(({ pointer }) => pointer)]).toEqual([400, pointers]);
  });

  it('without the control plane it comes without the texts, in time, and says so', async () => {
    const refusal = decisionEvent({ at_ms: Date.now(), limits: [refusingLimit({ rule_id: 'never-asked-before', override_id: 'ovr_gone' })] });
    await store(refusal);
    // The token of who asks is remembered for a while.
    await explainedById(refusal);
    await admin.program.end('SIGKILL');
    const startedMs = performance.now();
    const why = await explainedById(refusal);
    expect(performance.now() - startedMs).toBeLessThan(4_000);
    expect(why).toMatchObject({ found: 'refusal', control_plane_answered: false, limits: [{ rule: { state: 'unknown', text: null }, override: { state: 'unknown' }, in_force_now: null }] });
    expect(why.sentence).toMatch(/because the temporary limit of 60 requests per minute was used up; the answer said to wait 12 seconds, until [\d:]+ UTC[^.]*\.$/);
    expect(why.notes.join('\n')).toContain('The control plane could not be asked');
  }, TIMEOUT_MS);
});
