import { setTimeout as sleep } from 'node:timers/promises';
import { memoryStore, systemClock } from '@sluice/limiter';
import { createLogger, InProcessBus } from '@sluice/platform';
import type { Rule, Snapshot } from '@sluice/rules';
import { settled, startControlPlane } from '../../../libs/snapshot-client/test/control-plane.js';
import type { ControlPlane } from '../../../libs/snapshot-client/test/control-plane.js';
import { fetchDocumented } from '../test/asking.js';
import { BARE_CONFIG, snapshotOf } from '../test/running-decision.js';
import type { DecisionConfig } from './config/decision-config.js';
import { createDecision } from './create-decision.js';
import type { RunningDecision } from './create-decision.js';

const RULES: readonly Rule[] = [
  { rule_id: 'free-default', version: 3, plan: 'free', limit: 5, window_seconds: 60 },
  { rule_id: 'free-search', version: 1, plan: 'free', endpoint: 'GET /v1/search', policy: 'search', limit: 2, window_seconds: 0.5, algorithm: 'fixed_window' },
  { rule_id: 'by-user', version: 1, endpoint: 'POST /v1/pay', count_by: ['user_id'], policy: 'user', limit: 3, window_seconds: 3600 },
];

const snapshot = (version: number, rules = RULES): Snapshot => snapshotOf(version, rules);

describe('decision service over HTTP', () => {
  let plane: ControlPlane;
  let bus: InProcessBus;
  let service: RunningDecision;
  const logger = createLogger({ app: 'decision', level: 'silent' });

  async function startService(over: Partial<DecisionConfig> = {}): Promise<RunningDecision> {
    service = await createDecision({ config: { ...BARE_CONFIG, adminUrl: plane.url, ...over }, store: memoryStore(systemClock()), bus, logger });
    return service;
  }

  function post(body: unknown, headers: Record<string, string> = {}): Promise<Response> {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return fetchDocumented(`${service.url}/v1/ratelimit:check`, { method: 'POST', body: text, headers: { 'Content-Type': 'application/json', ...headers } });
  }

  function check(attributes: Record<string, string>, rest: object = {}): Promise<Response> {
    return post({ domain: 'api', descriptors: Object.entries(attributes).map(([key, value]) => ({ key, value })), ...rest });
  }

  beforeEach(async () => {
    plane = await startControlPlane(snapshot(7));
    plane.keys.set('demo-free', { key_id: 'k1', tenant_id: 't1', plan: 'free', disabled: false });
    plane.keys.set('gone', { key_id: 'k2', tenant_id: 't1', plan: 'free', disabled: true });
    bus = new InProcessBus(logger);
  });
  afterEach(async () => {
    await service.close();
    await bus.close();
    await plane.close();
  });

  describe('R72 POST /v1/ratelimit:check', () => {
    it('R1 R70 decides, with the detail in the body and the fields in the header, 200 for both codes', async () => {
      await (await startService()).ready;
      const first = await check({ plan: 'free', key_id: 'k1' });
      expect(first.status).toBe(200);
      expect(first.headers.get('x-ratelimit-limit')).toBe('5');
      expect(first.headers.get('ratelimit-policy')).toBe('"default";q=5;w=60');
      expect(await first.json()).toMatchObject({
        overallCode: 'OK',
        limitRemaining: 4,
        resetAfterSeconds: expect.any(Number),
        allowed: true,
        reason: 'ok',
        rule_id: 'free-default',
        rule_version: 3,
        policy: 'default',
        limit: 5,
        delay_ms: 0,
        cost: 1,
        snapshot_version: 7,
        policies: [{ policy: 'default', rule_id: 'free-default', allowed: true, window_seconds: 60 }],
        shadow: [],
      });
      const rest = await Promise.all(Array.from({ length: 6 }, () => check({ plan: 'free', key_id: 'k1' })));
      expect(rest.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
      const bodies = await Promise.all(rest.map((response) => response.json() as Promise<Record<string, unknown>>));
      const refused = bodies.filter(({ overallCode }) => overallCode === 'OVER_LIMIT');
      expect(refused).toHaveLength(2);
      expect(refused[0]).toMatchObject({ limitRemaining: 0, allowed: false, reason: 'quota', retry_after_seconds: expect.any(Number) });
      const header = rest.find((_, i) => bodies[i]?.['overallCode'] === 'OVER_LIMIT')?.headers;
      expect(Number(header?.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect(header?.get('cache-control')).toBe('no-store');
    });

    it('R8 applies every policy, and any descriptor counts', async () => {
      await (await startService()).ready;
      const both = await check({ plan: 'free', key_id: 'k9', endpoint: 'GET /v1/search' });
      expect(both.headers.get('ratelimit')).toMatch(/^"search";r=1;t=\d+, "default";r=4;t=\d+$/);
      for (const left of [2, 1, 0]) {
        const body = (await (await check({ user_id: 'u1', endpoint: 'POST /v1/pay' })).json()) as object;
        expect(body).toMatchObject({ overallCode: 'OK', limitRemaining: left, rule_id: 'by-user' });
      }
      expect(await (await check({ user_id: 'u1', endpoint: 'POST /v1/pay' })).json()).toMatchObject({ overallCode: 'OVER_LIMIT' });
      expect(await (await check({ user_id: 'u2', endpoint: 'POST /v1/pay' })).json()).toMatchObject({ overallCode: 'OK' });
    });

    it('R9 cost 0 and peek change nothing, a cost above the limit has no wait', async () => {
      await (await startService()).ready;
      const caller = { plan: 'free', key_id: 'k1' };
      expect(await (await check(caller, { cost: 0 })).json()).toMatchObject({ overallCode: 'OK', limitRemaining: 5 });
      expect(await (await check(caller, { cost: 5, peek: true })).json()).toMatchObject({ overallCode: 'OK', limitRemaining: 5 });
      const never = await check(caller, { cost: 6 });
      expect(never.headers.get('retry-after')).toBeNull();
      expect(await never.json()).toMatchObject({ overallCode: 'OVER_LIMIT', reason: 'cost_exceeds_limit' });
      expect(await (await check(caller, { cost: 5 })).json()).toMatchObject({ overallCode: 'OK', limitRemaining: 0 });
    });

    it('says that no rule matched', async () => {
      await (await startService()).ready;
      const body = (await (await check({ plan: 'pro', key_id: 'k1' })).json()) as object;
      expect(body).toMatchObject({ overallCode: 'OK', reason: 'no_rule', source: 'none', policies: [] });
      expect(body).not.toHaveProperty('limitRemaining');
    });

    it.each<[number, string, unknown, Record<string, string>]>([
      [400, 'malformed JSON', '{"domain":', {}],
      [400, 'an unknown field', { domain: 'api', descriptors: [{ key: 'a', value: 'b' }], x: 1 }, {}],
      [400, 'a prototype in the body', '{"domain":"api","__proto__":{"a":1},"descriptors":[{"key":"a","value":"b"}]}', {}],
      [413, 'a body above 64 KiB', JSON.stringify({ domain: 'x'.repeat(70_000) }), {}],
      [415, 'a body that is no JSON', 'domain=api', { 'Content-Type': 'application/x-www-form-urlencoded' }],
    ])('answers %d problem+json for %s', async (status, _name, body, headers) => {
      await (await startService()).ready;
      const response = await post(body, headers);
      expect(response.status).toBe(status);
      expect(response.headers.get('content-type')).toContain('application/problem+json');
      expect(await response.json()).toMatchObject({ status });
    });

    it('points at each fault', async () => {
      await (await startService()).ready;
      const response = await check({ plan: 'free' }, { cost: '5' });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ type: 'urn:sluice:problem:invalid-request', errors: [{ pointer: '/cost' }] });
    });
  });

  describe('who may ask', () => {
    it('needs the token where one is set', async () => {
      await (await startService({ tokens: ['decision-token'] })).ready;
      for (const authorization of [undefined, 'Bearer wrong-token', 'Basic ZGVjaXNpb24tdG9rZW4=', 'Bearer decision-token2', 'decision-token']) {
        const response = await post({}, authorization === undefined ? {} : { Authorization: authorization });
        expect(response.status).toBe(401);
        expect(response.headers.get('www-authenticate')).toBe('Bearer realm="sluice"');
      }
      const response = await post({ domain: 'api', descriptors: [{ key: 'plan', value: 'free' }] }, { Authorization: 'Bearer decision-token' });
      expect(response.status).toBe(200);
    });
  });

  describe('R71 GET /v1/limits', () => {
    const limits = (query: string, headers: Record<string, string> = {}) => fetchDocumented(`${service.url}/v1/limits${query}`, { headers });

    it("is the caller's own view by its key, and changes nothing", async () => {
      await (await startService()).ready;
      await check({ plan: 'free', key_id: 'k1' });
      for (let i = 0; i < 10; i++) {
        const response = await limits('?endpoint=GET%20/v1/search', { 'X-Api-Key': 'demo-free' });
        expect(response.status).toBe(200);
        const body = (await response.json()) as { limits: { scope: string; reset_at: string }[] };
        expect(body.limits.sort((a, b) => (a.scope < b.scope ? -1 : 1))).toEqual([
          { scope: 'free-default', limit: 5, remaining: 4, reset_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) },
          { scope: 'free-search', limit: 2, remaining: 2, reset_at: expect.any(String) },
        ]);
        expect(Date.parse(body.limits[0]?.reset_at ?? '')).toBeGreaterThan(Date.now());
      }
      expect(await (await check({ plan: 'free', key_id: 'k1' })).json()).toMatchObject({ limitRemaining: 3 });
    });

    it('R77 a caller cannot name another one, and a service can', async () => {
      await (await startService({ tokens: ['decision-token'] })).ready;
      const forged = await limits('?key_id=k7&plan=free', { 'X-Api-Key': 'demo-free' });
      expect(forged.status).toBe(400);
      expect(await forged.json()).toMatchObject({ errors: [{ pointer: '/query/key_id' }, { pointer: '/query/plan' }] });
      expect((await limits('?key_id=k1&plan=free')).status).toBe(401);
      const named = await limits('?key_id=k1&plan=free', { Authorization: 'Bearer decision-token' });
      expect(await named.json()).toMatchObject({ limits: [{ scope: 'free-default', remaining: 5 }] });
      expect((await limits('?key_id=k1&key_id=k2', { Authorization: 'Bearer decision-token' })).status).toBe(400);
    });

    it('refuses unknown and disabled keys, and says when they cannot be looked up', async () => {
      await (await startService()).ready;
      for (const key of ['nobody', 'gone', '']) expect((await limits('', { 'X-Api-Key': key })).status).toBe(401);
      plane.answer = (_request, response) => response.writeHead(500).end();
      const away = await limits('', { 'X-Api-Key': 'other' });
      expect(away.status).toBe(503);
      expect(away.headers.get('retry-after')).toBe('1');
    });
  });

  describe('R56 rules of the node', () => {
    it('answers 503 before the first snapshot and is not ready, instead of letting all pass', async () => {
      plane.answer = (_request, response) => response.writeHead(500).end();
      await startService();
      expect((await check({ plan: 'free' })).status).toBe(503);
      expect((await fetch(`${service.url}/readyz`)).status).toBe(503);
      expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
      plane.answer = undefined;
      await service.ready;
      expect((await check({ plan: 'free', key_id: 'k' })).status).toBe(200);
      expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
    });

    it('keeps the old rules when a snapshot is bad, and says so in /readyz and a metric', async () => {
      await (await startService()).ready;
      const first = RULES[0];
      plane.snapshot = { ...snapshot(8), rules: first === undefined ? [] : [{ ...first, limit: 0 }] };
      const readyz = async () => ((await (await fetch(`${service.url}/readyz`)).json()) as { checks: { rules: { ok: boolean; detail: string } } }).checks.rules;
      let rules = await readyz();
      for (let i = 0; i < 200 && !rules.detail.includes('refused'); i++) {
        await sleep(25);
        rules = await readyz();
      }
      expect(rules.ok).toBe(true);
      expect(rules.detail).toContain('version 7');
      expect(rules.detail).toContain('/rules/0/limit');
      const metrics = await (await fetch(`${service.url}/metrics`)).text();
      expect(metrics).toContain('sluice_snapshot_refusing{app="decision"} 1');
      expect(metrics).toContain('sluice_snapshot_version{app="decision"} 7');
      expect(await (await check({ plan: 'free', key_id: 'k1' })).json()).toMatchObject({ limit: 5, snapshot_version: 7 });
    });

    it('R55 takes new rules within the push, without the poll', async () => {
      await (await startService({ pollMs: 3_600_000 })).ready;
      const first = RULES[0];
      plane.snapshot = snapshot(8, first === undefined ? [] : [{ ...first, version: 4, limit: 20 }]);
      const started = performance.now();
      await settled(() => bus.isConnected());
      await new Promise((resolve) => setTimeout(resolve, 50));
      await bus.publish('sluice.config.v1', '', JSON.stringify({ schema_version: 1, event_id: 'e1', version: 8 }));
      let version = 0;
      while (version !== 8 && performance.now() - started < 2000) {
        version = ((await (await check({ plan: 'free', key_id: 'k1' }, { peek: true })).json()) as { snapshot_version: number }).snapshot_version;
      }
      expect(version).toBe(8);
    });
  });

  it('R44 a stop gives leases back, so that another node finds all but what was spent', async () => {
    const store = memoryStore(systemClock());
    const rules: Rule[] = [{ rule_id: 'big', version: 1, plan: 'free', limit: 100_000, window_seconds: 3600 }];
    plane.snapshot = snapshot(7, rules);
    const parts = { config: { ...BARE_CONFIG, adminUrl: plane.url }, store, bus, logger };
    service = await createDecision(parts);
    await service.ready;
    for (let i = 0; i < 300; i++) await check({ plan: 'free', key_id: 'k1' });
    await service.close();
    service = await createDecision(parts);
    await service.ready;
    const body = await (await check({ plan: 'free', key_id: 'k1' }, { peek: true })).json();
    expect(body).toMatchObject({ limitRemaining: 99_700 });
  });

  it('R93 counts decisions by rule', async () => {
    await (await startService()).ready;
    for (let i = 0; i < 7; i++) await check({ plan: 'free', key_id: 'k1' });
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    const counted = (outcome: string) =>
      [...metrics.matchAll(new RegExp(`^sluice_decisions_total\\{rule="free-default",outcome="${outcome}".*\\} (\\d+)$`, 'gm'))].reduce((sum, [, count]) => sum + Number(count), 0);
    expect(counted('allowed')).toBe(5);
    expect(counted('denied')).toBe(2);
    expect(metrics).toContain('sluice_decision_duration_seconds_count{app="decision"} 7');
  });
});
