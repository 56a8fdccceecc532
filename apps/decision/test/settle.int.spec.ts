import { type CounterStore, memoryStore, type RedisStore, redisStore, systemClock } from '@sluice/limiter';
import { type RedisServer, startRedis } from '@sluice/testkit';
import type { Rule } from '@sluice/rules';
import { type Answer, askJson, checkOf } from './asking.js';
import { type Stage, startStage } from './running-decision.js';

const RULES: readonly Rule[] = [
  { rule_id: 'tokens', version: 1, plan: 'free', limit: 100, window_seconds: 3600 },
  { rule_id: 'burst', version: 1, plan: 'pro', limit: 10, window_seconds: 3600 },
  { rule_id: 'day', version: 1, plan: 'pro', policy: 'day', limit: 50, window_seconds: 86_400 },
];
const FREE = { plan: 'free', key_id: 'k1' };

const stages: Stage[] = [];
async function open(store: CounterStore): Promise<(action: string, body: unknown) => Promise<Answer>> {
  const stage = await startStage({ rules: RULES, store });
  stages.push(stage);
  return (action, body) => askJson(`${stage.decision.url}/v1/ratelimit:${action}`, body);
}
afterEach(async () => {
  for (const stage of stages.splice(0)) await stage.close();
});

async function left(ask: (action: string, body: unknown) => Promise<Answer>, attributes: Readonly<Record<string, string>> = FREE): Promise<unknown> {
  return (await ask('check', checkOf(attributes, { peek: true }))).body['limitRemaining'];
}

describe('R14 POST /v1/ratelimit:settle and :refund', () => {
  it('charges an estimate, gives it an id and an end, and settles it once with the true amount', async () => {
    const ask = await open(memoryStore(systemClock()));
    const reserved = await ask('check', checkOf(FREE, { cost: 40, reserve: true, reserve_seconds: 90 }));
    expect(reserved.body).toMatchObject({ overallCode: 'OK', limitRemaining: 60, cost: 40, decision_id: expect.stringMatching(/^[\w-]{22}$/) });
    const [checkedAt, expiresAt] = ['checked_at', 'decision_expires_at'].map((name) => Date.parse(String(reserved.body[name])));
    expect((expiresAt ?? 0) - (checkedAt ?? 0)).toBeGreaterThanOrEqual(89_000);
    expect((expiresAt ?? 0) - (checkedAt ?? 0)).toBeLessThanOrEqual(91_000);
    const id = reserved.body['decision_id'];
    const settled = await ask('settle', { decision_id: id, cost: 15 });
    expect([settled.status, settled.body]).toEqual([200, { status: 'settled', charged: 15, returned: 25, indebted: 0 }]);
    expect(await left(ask)).toBe(85);
    for (const action of ['settle', 'refund']) {
      const again = await ask(action, { decision_id: id, ...(action === 'settle' ? { cost: 15 } : {}) });
      expect([again.status, again.body['type']]).toEqual([404, 'urn:sluice:problem:unknown-decision']);
      expect(again.text).not.toContain(String(id));
    }
    expect(await left(ask)).toBe(85);
  });

  it('charges what was too little as debt, beyond the limit too', async () => {
    const ask = await open(memoryStore(systemClock()));
    const { body } = await ask('check', checkOf(FREE, { cost: 90, reserve: true }));
    expect((await ask('settle', { decision_id: body['decision_id'], cost: 120 })).body).toEqual({ status: 'settled', charged: 120, returned: 0, indebted: 30 });
    expect(await left(ask)).toBe(0);
    expect((await ask('check', checkOf(FREE))).body).toMatchObject({ overallCode: 'OVER_LIMIT', policies: [{ allowed: false, retry_after_seconds: expect.any(Number) }] });
  });

  it('a refund gives all limits of the request their permits back', async () => {
    const ask = await open(memoryStore(systemClock()));
    const caller = { plan: 'pro', key_id: 'k2' };
    const { body } = await ask('check', checkOf(caller, { cost: 7, reserve: true }));
    expect((await ask('refund', { decision_id: body['decision_id'] })).body).toEqual({ status: 'settled', charged: 0, returned: 14, indebted: 0 });
    expect((await ask('check', checkOf(caller, { peek: true }))).body).toMatchObject({ policies: [{ policy: 'day', remaining: 50 }, { policy: 'default', remaining: 10 }] });
  });

  it('a refusal, a peek and a plain check have no id', async () => {
    const ask = await open(memoryStore(systemClock()));
    for (const rest of [{ cost: 101, reserve: true }, { peek: true }, {}]) {
      const { body } = await ask('check', checkOf(FREE, rest));
      expect([body['decision_id'], body['decision_expires_at']]).toEqual([undefined, undefined]);
    }
  });

  it.each<[string, unknown, string]>([
    ['settle', {}, '/decision_id /cost'],
    ['settle', { decision_id: 'x' }, '/cost'],
    ['settle', { decision_id: 1, cost: 1 }, '/decision_id'],
    ['settle', { decision_id: '', cost: 1 }, '/decision_id'],
    ['settle', { decision_id: 'x'.repeat(129), cost: 1 }, '/decision_id'],
    ['settle', { decision_id: 'x', cost: -1 }, '/cost'],
    ['settle', { decision_id: 'x', cost: 1.5 }, '/cost'],
    ['settle', { decision_id: 'x', cost: '1' }, '/cost'],
    ['settle', { decision_id: 'x', cost: 2 ** 53 }, '/cost'],
    ['settle', { decision_id: 'x', cost: 1, more: 1 }, '/more'],
    ['settle', [], ''],
    ['refund', {}, '/decision_id'],
    ['refund', { decision_id: 'x', cost: 0 }, '/cost'],
  ])('%s refuses %j', async (action, body, pointers) => {
    const ask = await open(memoryStore(systemClock()));
    const answer = await ask(action, body);
    expect([answer.status, (answer.body['errors'] as { pointer: string }[]).map(({ pointer }) => pointer).join(' ')]).toEqual([400, pointers]);
  });

  it.each(['x', '../../etc', 'Kq3xv0b2T8mYk1uWc5nZlA', "'; --", '\u0000'])('%j is an id that never was', async (id) => {
    const ask = await open(memoryStore(systemClock()));
    expect((await ask('refund', { decision_id: id })).status).toBe(404);
  });
});

describe('R14 reservations of a fleet on one Redis', () => {
  let redis: RedisServer;
  const stores: RedisStore[] = [];
  /** With more time than a service would give it: a machine that is busy with other tests is no store that is away. */
  async function store(): Promise<RedisStore> {
    const made = redisStore({ url: redis.url, timeoutMs: 1_000 });
    stores.push(made);
    await made.ready(10_000);
    return made;
  }
  beforeEach(async () => (redis = await startRedis()));
  afterEach(async () => {
    // After the services, which are closed by the hook above: hooks run in their order.
    for (const one of stores.splice(0)) await one.close();
    await redis.stop();
  });

  it('two instances settle each other\'s, and of two at once only one does', async () => {
    const [one, other] = [await open(await store()), await open(await store())];
    const first = (await one('check', checkOf(FREE, { cost: 40, reserve: true }))).body['decision_id'];
    expect((await other('settle', { decision_id: first, cost: 10 })).body).toMatchObject({ status: 'settled', returned: 30 });
    expect((await one('settle', { decision_id: first, cost: 10 })).status).toBe(404);
    const second = (await other('check', checkOf(FREE, { cost: 20, reserve: true }))).body['decision_id'];
    const both = await Promise.all([one('refund', { decision_id: second }), other('refund', { decision_id: second })]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect(await left(one)).toBe(90);
  });

  it('is 503 while the store is away, and can be tried again when it is back', async () => {
    const ask = await open(await store());
    const { body } = await ask('check', checkOf(FREE, { cost: 40, reserve: true }));
    await redis.pause();
    const away = await ask('settle', { decision_id: body['decision_id'], cost: 10 });
    expect([away.status, away.headers.get('retry-after')]).toEqual([503, '1']);
    expect(away.text).not.toContain(String(body['decision_id']));
    await redis.resume();
    let settled = await ask('settle', { decision_id: body['decision_id'], cost: 10 });
    for (let i = 0; i < 100 && settled.status === 503; i += 1) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      settled = await ask('settle', { decision_id: body['decision_id'], cost: 10 });
    }
    expect(settled.body).toMatchObject({ status: 'settled', returned: 30 });
  });

  it('a store that is killed in between and lost its memory is a 404 in the end, never a charge', async () => {
    const ask = await open(await store());
    const { body } = await ask('check', checkOf(FREE, { cost: 40, reserve: true }));
    await redis.kill();
    expect((await ask('settle', { decision_id: body['decision_id'], cost: 90 })).status).toBe(503);
    await redis.restart();
    let answer = await ask('settle', { decision_id: body['decision_id'], cost: 90 });
    for (let i = 0; i < 100 && answer.status === 503; i += 1) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      answer = await ask('settle', { decision_id: body['decision_id'], cost: 90 });
    }
    expect([answer.status, answer.body['type']]).toEqual([404, 'urn:sluice:problem:unknown-decision']);
  });
});
