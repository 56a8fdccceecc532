import type { ServerResponse } from 'node:http';
import { type Answer, type RunningLog, startLog } from './support/running-log.js';
import { type ScriptedAuthority, startAuthority } from './support/scripted-authority.js';
import { eventOf, limitOf } from './store-contract/sample-events.js';

const TOKENS = { viewer: { role: 'viewer' }, acme: { role: 'tenant', tenant_id: 'acme' } } as const;
const RULE = { rule_id: 'search', version: 3, limit: 60, window_seconds: 60 };
const NOW = { policy: 'default', rule_id: 'search', rule_version: 4, mode: 'enforce', limit: 4_242, window_seconds: 60, count_by: ['key_id'] };

/** The stories with a real control plane are in `apps/e2e`; here is what one does that is slow, refuses this service, or has given a key to somebody else. */
describe('R82 explaining beside a control plane', () => {
  let authority: ScriptedAuthority;
  let log: RunningLog;
  let sequence = 0;

  beforeAll(async () => {
    authority = await startAuthority(TOKENS);
    log = await startLog(authority.url);
  });
  afterAll(async () => {
    await log.close();
    await authority.close();
  });

  async function refused(tenant_id = 'acme', key_id = 'k1'): Promise<string> {
    sequence += 1;
    const event_id = `explain:${sequence}`;
    const limits = [limitOf({ policy: 'default', rule_id: 'search', rule_version: 3, allowed: false, limit: 60, window_ms: 60_000, override_id: null, reason: 'quota' })];
    await log.store.write([{ partition: 0, event: eventOf({ event_id, at_ms: Date.now(), kind: 'decision', allowed: false, reason: 'quota', sampled_share: 1, cost: 1, attributes: { key_id, tenant_id, plan: 'free' }, limits }) }]);
    return event_id;
  }
  const explain = (eventId: string, token?: string): Promise<Answer> => log.get(`/v1/decisions:explain?event_id=${eventId}`, token);
  const json = (response: ServerResponse, body: object, status = 200): void => void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

  /** Knows the rule, its change by somebody, and the key as it is now. */
  function knows(key: object | undefined, keyHistory: readonly object[] = []): void {
    authority.answerElse((request, response) => {
      const { url = '' } = request;
      const change = (version: number, limit: number): object => ({ version, at: '2026-11-30T10:00:00Z', actor: 'token:somebody', action: 'updated', to_version: version, after: { ...RULE, version, limit } });
      if (url.startsWith('/v1/rules/search/history?')) return json(response, { entries: [change(4, 4_242), change(3, 60)] });
      if (url.startsWith('/v1/rules/search/history/')) return json(response, url.endsWith('/3') ? RULE : { ...RULE, version: 4, limit: 4_242 });
      if (url.startsWith('/v1/keys/k1/history')) return json(response, { entries: keyHistory });
      if (url === '/v1/explain') return json(response, { limits: [NOW], ...(key === undefined ? {} : { key }) });
      return json(response, {}, 404);
    });
  }
  const keyOf = (tenant_id: string, plan: string): object => ({ key_id: 'k1', tenant_id, plan, disabled: false });

  it('the minute around counts what its asker may see', async () => {
    knows(keyOf('acme', 'free'));
    const own = await refused('acme', 'k-shared');
    for (let times = 0; times < 3; times += 1) await refused('beta', 'k-shared');
    await log.store.write([{ partition: 0, event: eventOf({ event_id: 'passed:1', at_ms: Date.now(), sampled_share: 0.5, attributes: { key_id: 'k-of-beta', tenant_id: 'beta' } }) }]);
    expect((await explain(own)).body).toMatchObject({ around: { requests: 4, refused: 4, sampled: true } });
    // Whether requests of others are sampled is not its business either.
    expect((await explain(own, 'acme')).body).toMatchObject({ around: { requests: 1, refused: 1, sampled: null } });
  });

  it('a key that is its own shows what applies now, and what changed', async () => {
    knows(keyOf('acme', 'free'));
    const why = (await explain(await refused(), 'acme')).body;
    expect(why).toMatchObject({ limits: [{ rule: { state: 'changed', now: { limit: 4_242 } }, in_force_now: { limit: 4_242 } }] });
    expect(why['sentence']).toMatch(/Your limit is now 4,242 requests per minute\.$/);
  });

  it.each<[string, object | undefined, readonly object[]]>([
    ['somebody else has by now', keyOf('rival', 'gold'), []],
    ['is gone', undefined, [{ version: 9, at: '2026-11-30T11:00:00Z', actor: 'token:somebody', action: 'deleted', to_version: null, after: null }]],
  ])('of a key that %s a tenant learns nothing that came later, and the sentence says nothing of it', async (_what, key, history) => {
    knows(key, history);
    const eventId = await refused();
    const theirs = await explain(eventId, 'acme');
    expect(theirs.body).toMatchObject({ limits: [{ rule: { state: 'unknown', text: { limit: 60 }, now: null, changed_at: null }, in_force_known: false, in_force_now: null }], control_plane_answered: true });
    expect(theirs.text).not.toMatch(/4,?242|rival|gold|10:00:00|2026-11-30T11/);
    expect(theirs.body['notes']).toContain('The key is not one of this account any more: what became of its limits since is not said.');
    const operators = (await explain(eventId)).body;
    expect(operators['sentence']).toBe(theirs.body['sentence']);
    expect(operators).toMatchObject({ limits: [{ rule: { state: 'changed' }, in_force_known: false }] });
  });

  it('a key that the control plane never knew meets what its attributes meet', async () => {
    knows(undefined);
    expect((await explain(await refused(), 'acme')).body).toMatchObject({ limits: [{ in_force_now: { limit: 4_242 } }] });
  });

  it('of a control plane that is slow all answers together are waited for 2 s', async () => {
    authority.answerElse((_request, response) => void setTimeout(() => json(response, { limits: [NOW], version: 3, entries: [] }), 1_500));
    const eventId = await refused();
    expect((await log.get('/v1/usage')).status).toBe(200);
    const startMs = performance.now();
    const why = (await explain(eventId)).body;
    expect(performance.now() - startMs).toBeLessThan(2_400);
    expect(why).toMatchObject({ found: 'refusal', control_plane_answered: false });
  });

  it('a tenant is told nothing of why the control plane does not answer this service', async () => {
    authority.answerElse((_request, response) => json(response, {}, 401));
    const eventId = await refused();
    expect((await explain(eventId)).text).toContain('SLUICE_ADMIN_TOKEN');
    const theirs = await explain(eventId, 'acme');
    expect(theirs.body).toMatchObject({ control_plane_answered: false });
    expect(theirs.text).not.toMatch(/SLUICE|token|401/);
  });
});
