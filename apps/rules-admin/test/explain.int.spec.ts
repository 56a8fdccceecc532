import { compileSnapshot, type Snapshot } from '@sluice/rules';
import { createLimiter, memoryStore, redisStore } from '@sluice/limiter';
import { startRedis } from '@sluice/testkit';
import { Redis } from 'ioredis';
import { type Answer, type ControlPlane, startControlPlane } from './control-plane.js';

async function withRules(plane: ControlPlane): Promise<ControlPlane> {
  await plane.put('/v1/plans/free', { default_limit: { limit: 100, window_seconds: 60 } });
  await plane.put('/v1/tenants/acme', { name: 'Acme', plan_id: 'free' });
  await plane.call('/v1/keys', { method: 'POST', json: { tenant_id: 'acme', name: 'K', key_id: 'k1' } });
  await plane.put('/v1/rules/items', { plan: 'free', endpoint: 'GET /v1/items/{id}', limit: 5, window_seconds: 60, consistency: 'exact' });
  await plane.put('/v1/rules/per-ip', { policy: 'ip', count_by: ['ip'], limit: 1_000, window_seconds: 60 });
  await plane.put('/v1/rules/tried', { plan: 'free', endpoint: 'GET /v1/items/{id}', limit: 2, window_seconds: 60, mode: 'shadow' });
  return plane;
}

const explain = (plane: ControlPlane, json: unknown): Promise<Answer> => plane.call('/v1/explain', { method: 'POST', json });
const REQUEST = { attributes: { key_id: 'k1', endpoint: 'GET /v1/items/7', ip: '::ffff:203.0.113.9' } };

describe('R1 POST /v1/explain', () => {
  let plane: ControlPlane;
  beforeAll(async () => {
    plane = await withRules(await startControlPlane({}, { counters: memoryStore() }));
  }, 60_000);
  afterAll(() => plane.close());

  it('fills in tenant and plan of the key, and says what matched, what won and why the others lost', async () => {
    const { status, body } = await explain(plane, { ...REQUEST, rules: ['items', 'nobody'] });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      attributes: { key_id: 'k1', tenant_id: 'acme', plan: 'free', endpoint: 'GET /v1/items/7', ip: '203.0.113.9' },
      filled_in: ['tenant_id', 'plan'],
      key: { key_id: 'k1', tenant_id: 'acme', plan: 'free', disabled: false },
      remarks: [],
      others: [{ rule_id: 'nobody', reason: 'unknown_rule' }],
      counters: 'read',
      decision: { allowed: true, reason: 'ok' },
    });
    expect(body['matching']).toMatchObject([
      { rule_id: 'items', applies: true, reason: 'most_specific' },
      { rule_id: 'tried', mode: 'shadow', applies: true, detail: 'it would decide this in the policy default if it were enforced' },
      { rule_id: 'plan:free', applies: false, reason: 'outranked', outranked_by: 'items', detail: "items applies instead: a rule for plan and endpoint goes before a plan's default limit" },
      { rule_id: 'per-ip', applies: true },
    ]);
    expect(body['limits']).toMatchObject([
      { policy: 'default', rule_id: 'items', mode: 'enforce', limit: 5, window_seconds: 60, count_by: ['key_id'], allowed: true, remaining: 5 },
      { policy: 'ip', rule_id: 'per-ip', remaining: 1_000 },
      { rule_id: 'tried', mode: 'shadow', remaining: 2 },
    ]);
  });

  it('says what the given attributes say, whatever the key is of', async () => {
    const { body } = await explain(plane, { attributes: { key_id: 'k1', plan: 'pro', endpoint: 'GET /v1/items/7' } });
    expect(body).toMatchObject({ attributes: { plan: 'pro' }, filled_in: ['tenant_id'], matching: [] });
    expect((await explain(plane, { attributes: { key_id: 'stranger', plan: 'free' } })).body).toMatchObject({ filled_in: [], decision: { allowed: true } });
    expect((await explain(plane, { attributes: {} })).body).toMatchObject({ limits: [], decision: { allowed: true, reason: 'no_rule' } });
  });

  it('says what a gateway does before any limit is looked at, and which rules only lack something to count by', async () => {
    await plane.call('/v1/keys', { method: 'POST', json: { tenant_id: 'acme', name: 'K', key_id: 'off' } });
    await plane.call('/v1/keys/off', { method: 'PATCH', json: { disabled: true }, ifMatch: '*' });
    expect((await explain(plane, { attributes: { key_id: 'off' } })).body['remarks']).toEqual(['The key is disabled: a gateway refuses it with 401 before any limit is looked at.']);
    expect((await explain(plane, { attributes: { key_id: 'zzz', plan: 'free' } })).body['remarks']).toEqual(['There is no key zzz here: a gateway refuses it with 401. What follows is as if it existed.']);
    const { body } = await explain(plane, { attributes: { plan: 'free', endpoint: 'GET /v1/items/7' } });
    expect(body['others']).toContainEqual({ rule_id: 'items', mode: 'enforce', applies: false, matches: false, reason: 'count_by', detail: 'it counts by key_id, which the request lacks' });
  });

  it('follows a change of rules', async () => {
    const before = (await explain(plane, REQUEST)).body['version'];
    await plane.put('/v1/rules/more', { plan: 'free', domain: 'shop', endpoint: 'GET /v1/items/{id}', limit: 9, window_seconds: 60 });
    const { body } = await explain(plane, { attributes: { ...REQUEST.attributes, domain: 'shop' } });
    expect(body['version']).toBeGreaterThan(Number(before));
    expect(body['limits']).toMatchObject([{ rule_id: 'more', limit: 9 }, { rule_id: 'per-ip' }]);
  });

  it.each([
    [{}, '/attributes'],
    [{ attributes: [] }, '/attributes'],
    [{ attributes: { plan: 5 } }, '/attributes/plan'],
    [{ attributes: { 'a/b': null } }, '/attributes/a~1b'],
    [{ attributes: { plan: 'x'.repeat(2_049) } }, '/attributes/plan'],
    [{ attributes: Object.fromEntries(Array.from({ length: 65 }, (_value, at) => [`a${at}`, 'x'])) }, '/attributes'],
    [{ attributes: {}, cost: -1 }, '/cost'],
    [{ attributes: {}, cost: 1.5 }, '/cost'],
    [{ attributes: {}, rules: 'items' }, '/rules'],
    [{ attributes: {}, rules: [5] }, '/rules'],
    [{ attributes: {}, more: 1 }, '/more'],
  ])('%j is a 400 that points at %s', async (json, pointer) => {
    const answer = await explain(plane, json);
    expect([answer.status, (answer.body['errors'] as { pointer: string }[])[0]?.pointer]).toEqual([400, pointer]);
  });
});

describe('explanations and the counters on Redis', () => {
  it('shows what nodes have used, what the next request would get, and leaves every byte as it is', async () => {
    const redis = await startRedis();
    const raw = new Redis(redis.url);
    const plane = await withRules(await startControlPlane({ redisUrls: [redis.url] }));
    const store = redisStore({ url: redis.url });
    await store.ready(2_000);
    const rules = compileSnapshot((await plane.call('/v1/snapshot')).body as unknown as Snapshot);
    const node = createLimiter({ store, rules });
    const request = { key_id: 'k1', tenant_id: 'acme', plan: 'free', endpoint: 'GET /v1/items/7', ip: '203.0.113.9' };
    for (let at = 0; at < 4; at += 1) await node.check(request);
    await node.close();
    const dump = async (): Promise<unknown> => Promise.all((await raw.keys('*')).sort().map(async (key) => [key, (await raw.dumpBuffer(key))?.toString('hex')]));
    const before = await dump();
    expect((await explain(plane, REQUEST)).body).toMatchObject({ decision: { allowed: true }, limits: [{ rule_id: 'items', remaining: 1, allowed: true }, {}, { rule_id: 'tried', remaining: 0, allowed: false }] });
    const dear = await explain(plane, { ...REQUEST, cost: 2 });
    expect(dear.body).toMatchObject({ decision: { allowed: false, reason: 'quota' }, limits: [{ rule_id: 'items', remaining: 1, allowed: false }, {}, {}] });
    expect(dear.body['decision']).toHaveProperty('retry_after_seconds');
    expect((await explain(plane, { ...REQUEST, cost: 6 })).body).toMatchObject({ decision: { allowed: false, reason: 'cost_exceeds_limit' } });
    expect(await dump()).toEqual(before);
    redis.pause();
    const startedMs = performance.now();
    const away = await explain(plane, REQUEST);
    expect(performance.now() - startedMs).toBeLessThan(3_000);
    expect(away.body).toMatchObject({ counters: 'the counter store does not answer', limits: [{ rule_id: 'items', limit: 5 }, {}, {}] });
    expect(away.body).not.toHaveProperty('decision');
    redis.resume();
    await store.close();
    await raw.quit();
    await plane.close();
    await redis.stop();
  }, 60_000);

  it('without counters says so, and everything else', async () => {
    const plane = await withRules(await startControlPlane());
    const { body } = await explain(plane, REQUEST);
    expect(body).toMatchObject({ counters: 'this control plane was not told where the counters are (SLUICE_REDIS_URL)', limits: [{ rule_id: 'items' }, {}, {}] });
    expect(body).not.toHaveProperty('decision');
    await plane.close();
  }, 60_000);
});
