import { delayProxy, startRedis, startRedisCluster, type RedisCluster, type RedisServer } from '@sluice/testkit';
import { keySlot } from '@sluice/lua-scripts';
import { quota } from '@sluice/algorithms';
import { Redis } from 'ioredis';
import { createLimiter, fixedLeases, redisStore, StoreFault } from '../src/index.js';
import { redisClient } from '../src/store/redis-client.js';
import { rulesOf } from './support/fixture.js';

const key = { key_id: 'k1' };
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('R40 known failure 25: a Redis that hangs', () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedis();
  }, 60_000);
  afterAll(() => redis.stop());

  it('costs one lease and a few permits, however much traffic there was meanwhile, and little time', async () => {
    const store = redisStore({ url: redis.url, timeoutMs: 100 });
    await store.ready(5000);
    const limiter = createLimiter({ store, rules: rulesOf([{ rule_id: 'r', limit: 10_000, window_seconds: 3600 }]), sizing: fixedLeases(200) });
    await limiter.check(key);
    redis.pause();
    const waits: number[] = [];
    for (const endMs = Date.now() + 2500; Date.now() < endMs; await sleep(5)) {
      const startedMs = performance.now();
      await limiter.check(key);
      waits.push(performance.now() - startedMs);
    }
    redis.resume();
    await sleep(700);
    while ((await limiter.check(key)).deciding?.source === 'fallback') await sleep(50);
    const remaining = (await limiter.limits(key))[0]?.remaining ?? 0;
    // The lease before and the one after; what the store granted meanwhile came too late and went back.
    expect(remaining).toBeGreaterThan(9_500);
    waits.sort((a, b) => a - b);
    process.stdout.write(`R40: Redis paused for 2.5 s: ${waits.length} decisions, p50 ${waits[waits.length >> 1]?.toFixed(1)} ms, worst ${waits.at(-1)?.toFixed(0)} ms, ${10_000 - remaining} permits charged\n`);
    expect(waits[waits.length >> 1]).toBeLessThan(50);
    await limiter.close();
    await store.close();
  }, 60_000);

  it('known failure 26: what was granted too late goes back', async () => {
    const proxy = await delayProxy({ targetPort: redis.port });
    const store = redisStore({ url: `redis://127.0.0.1:${proxy.port}`, timeoutMs: 50 });
    await store.ready(5000);
    const of = quota({ algorithm: 'fixed_window', limit: 100, windowMs: 86_400_000 });
    const asks = ['a', 'b'].map((name) => ({ key: `s{late}x|${name}`, quota: of, need: 1, want: 40, backAmount: 0, backBucket: 0 }));
    const remaining = async (): Promise<unknown> => (await store.take(asks.map((ask) => ({ ...ask, want: 0 })))).map((answer) => (answer instanceof StoreFault ? answer : answer.remaining));
    try {
      // Redis knows the scripts from here on: where it does not, a call that came too late is not sent again.
      await store.takeAll(asks.map((ask) => ({ ...ask, key: `${ask.key}2` })));
      expect(await remaining()).toEqual([100, 100]);
      proxy.setDelayMs(200);
      expect(await store.take(asks)).toEqual([expect.any(StoreFault), expect.any(StoreFault)]);
      expect(await store.takeAll(asks)).toEqual([expect.any(StoreFault), expect.any(StoreFault)]);
      proxy.setDelayMs(0);
      await sleep(400);
      expect(await remaining()).toEqual([100, 100]);
    } finally {
      await store.close();
      await proxy.close();
    }
  }, 30_000);

  it('R44 does not hold up the end of a process', async () => {
    const store = redisStore({ url: redis.url });
    await store.ready(5000);
    redis.pause();
    const startedMs = Date.now();
    await store.close();
    redis.resume();
    expect(Date.now() - startedMs).toBeLessThan(2000);
  }, 30_000);

  it('R44 leaves nobody waiting when it is closed, and no timer behind', async () => {
    const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    const before = timers();
    const client = redisClient(redis.url, () => undefined);
    const store = redisStore({ client, timeoutMs: 60_000 });
    await store.ready(5000);
    redis.pause();
    const asking = store.take([{ key: 's{a}x|a', quota: quota({ algorithm: 'fixed_window', limit: 5, windowMs: 60_000 }), need: 1, want: 1, backAmount: 0, backBucket: 0 }]);
    await sleep(20);
    await store.close();
    expect(await asking).toEqual([expect.any(StoreFault)]);
    redis.resume();
    client.disconnect();
    await sleep(100);
    expect(timers()).toBeLessThanOrEqual(before);
  }, 30_000);
});

describe('R8 R41 a cluster of which one part hangs', () => {
  let cluster: RedisCluster;
  beforeAll(async () => {
    cluster = await startRedisCluster();
  }, 90_000);
  afterAll(() => cluster.stop());

  it('charges the exact limits of the parts that answer, and says what is missing', async () => {
    const owners = await Promise.all(
      cluster.nodes.map(async (server) => {
        const client = new Redis(server.url);
        const myself = String(await client.call('CLUSTER', 'NODES')).split('\n').find((line) => line.includes('myself')) ?? '';
        await client.quit();
        const ranges = myself.split(' ').slice(8).map((range) => range.split('-').map(Number));
        return { server, owns: (slot: number) => myself.includes('master') && ranges.some(([from = -1, to = -1]) => slot >= from && slot <= to) };
      }),
    );
    const hung = owners.find(({ owns }) => owns(keySlot('{hung}')))?.server;
    let at = 0;
    while (owners.find(({ owns }) => owns(keySlot(`{fine${at}}`)))?.server === hung) at += 1;
    const store = redisStore({ url: cluster.url, timeoutMs: 300 });
    await store.ready(5000);
    const of = quota({ algorithm: 'fixed_window', limit: 5, windowMs: 86_400_000 });
    const ask = (name: string) => ({ key: `{${name}}x`, quota: of, need: 1, want: 1, backAmount: 0, backBucket: 0 });
    await store.takeAll([ask(`fine${at}`), ask('hung')]);
    hung?.pause();
    const answers = await store.takeAll([ask(`fine${at}`), ask('hung')]);
    hung?.resume();
    expect(answers[0]).toMatchObject({ granted: 1, remaining: 3 });
    expect(answers[1]).toBeInstanceOf(StoreFault);
    await store.close();
  }, 60_000);
});
