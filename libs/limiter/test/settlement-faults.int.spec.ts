import { delayProxy, startRedis, type DelayProxy, type RedisServer } from '@sluice/testkit';
import { createLimiter, redisStore, type Limiter, type RedisStore } from '../src/index.js';
import { rulesOf } from './support/fixture.js';

const rules = rulesOf([{ rule_id: 'tokens', limit: 1_000, window_seconds: 3_600, algorithm: 'fixed_window', consistency: 'exact' }]);
const caller = { key_id: 'k1' };
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('R14 R40 settlements when Redis fails', () => {
  let redis: RedisServer;
  let proxy: DelayProxy;
  const stores: RedisStore[] = [];
  const limiters: Limiter[] = [];

  beforeAll(async () => {
    redis = await startRedis();
    proxy = await delayProxy({ targetPort: redis.port });
  }, 60_000);
  afterAll(async () => {
    await Promise.all(limiters.map((limiter) => limiter.close()));
    await Promise.all(stores.map((store) => store.close()));
    await proxy.close();
    await redis.stop();
  });

  async function node(port: number): Promise<Limiter> {
    const store = redisStore({ url: `redis://127.0.0.1:${port}`, timeoutMs: 200 });
    await store.ready(5_000);
    const limiter = createLimiter({ store, rules });
    stores.push(store);
    limiters.push(limiter);
    // The first call of each script may have to send its source as well.
    const { id = '' } = await limiter.reserve({ key_id: 'warm' }, 2);
    await limiter.settle(id, 1);
    return limiter;
  }

  async function reserved(limiter: Limiter, estimate: number): Promise<string> {
    const { id } = await limiter.reserve(caller, estimate);
    if (id === undefined) throw new Error('denied');
    return id;
  }

  async function settledAtLast(limiter: Limiter, id: string, actual: number) {
    const endMs = Date.now() + 5_000;
    for (;;) {
      const settlement = await limiter.settle(id, actual);
      if (settlement.status !== 'unavailable' || Date.now() > endMs) return settlement;
      await sleep(50);
    }
  }

  it('known failure 26: a claim that ran though its reply was lost is asked again by the node that made it, and by it alone', async () => {
    const [fragile, sound] = [await node(proxy.port), await node(redis.port)];
    const id = await reserved(fragile, 100);
    const before = (await sound.limits(caller))[0]?.remaining ?? 0;
    proxy.dropReplies(true);
    const startedMs = performance.now();
    expect((await fragile.settle(id, 30)).status).toBe('unavailable');
    expect(performance.now() - startedMs).toBeLessThan(1_000);
    expect((await sound.settle(id, 30)).status).toBe('unknown');
    // A connection that lost a reply is broken, and the client makes another.
    await proxy.cut();
    proxy.dropReplies(false);
    await proxy.heal();
    expect(await settledAtLast(fragile, id, 30)).toEqual({ status: 'settled', charged: 30, returned: 70, indebted: 0 });
    expect((await sound.settle(id, 30)).status).toBe('unknown');
    expect((await sound.limits(caller))[0]?.remaining).toBe(before + 70);
  }, 30_000);

  it('a Redis that hangs holds up no settlement, and none is settled twice when it comes to', async () => {
    const limiter = await node(redis.port);
    const ids = await Promise.all(Array.from({ length: 10 }, () => reserved(limiter, 20)));
    const before = (await limiter.limits(caller))[0]?.remaining ?? 0;
    redis.pause();
    const startedMs = performance.now();
    const hung = await Promise.all(ids.map((id) => limiter.settle(id, 25)));
    expect(performance.now() - startedMs).toBeLessThan(1_500);
    expect(hung.map(({ status }) => status)).toEqual(ids.map(() => 'unavailable'));
    redis.resume();
    const settled = [];
    for (const id of ids) settled.push(await settledAtLast(limiter, id, 25));
    expect(settled.map(({ status, indebted }) => [status, indebted])).toEqual(ids.map(() => ['settled', 5]));
    expect((await limiter.limits(caller))[0]?.remaining).toBe(before - 50);
    expect(limiter.stats()).toMatchObject({ settlementsLost: 0, unsettled: 0 });
  }, 30_000);

  it('R41 what is reserved while Redis is down is settled in the fallback; what was reserved before is gone with it', async () => {
    const limiter = await node(redis.port);
    const lost = await reserved(limiter, 20);
    await redis.kill();
    const id = await reserved(limiter, 100);
    expect(await limiter.settle(id, 40)).toEqual({ status: 'settled', charged: 40, returned: 60, indebted: 0 });
    expect((await limiter.settle(lost, 5)).status).toBe('unavailable');
    await redis.restart();
    expect((await settledAtLast(limiter, lost, 5)).status).toBe('unknown');
  }, 30_000);
});
