import { setTimeout as sleep } from 'node:timers/promises';
import { delayProxy, slotPlace, startRedis, startRedisCluster, type RedisServer } from '@sluice/testkit';
import { keySlot } from '@sluice/lua-scripts';
import { quota } from '@sluice/algorithms';
import { Redis } from 'ioredis';
import { redisStore, StoreFault, type RedisStore } from '../../src/index.js';
import { blackHole } from './support/black-hole.js';

const LIMIT = 1_000_000;
const of = quota({ algorithm: 'fixed_window', limit: LIMIT, windowMs: 86_400_000 });
const ask = (key: string, want = 1) => ({ key, quota: of, need: 1, want, backAmount: 0, backBucket: 0 });

async function isAnswered(store: RedisStore, key: string): Promise<boolean> {
  const [answer] = await store.take([ask(key)]);
  return answer !== undefined && !(answer instanceof StoreFault);
}

/** Asks all the time; resolves to how long nothing came from the store, ms. */
async function silenceMs(store: RedisStore, key: string, atMostMs: number): Promise<number> {
  const startedMs = performance.now();
  while (performance.now() - startedMs < atMostMs) {
    await sleep(10);
    if (await isAnswered(store, key)) return performance.now() - startedMs;
  }
  return Infinity;
}

describe('R40 a connection that has gone silent is replaced', () => {
  const redis: RedisServer[] = [];
  const cleanup: (() => unknown)[] = [];
  beforeAll(async () => void redis.push(await startRedis(), await startRedis()), 30_000);
  afterEach(async () => {
    for (const each of cleanup.splice(0).reverse()) await each();
  });
  afterAll(() => Promise.all(redis.map((server) => server.stop())));
  const server = (at: number): RedisServer => {
    const found = redis[at];
    if (found === undefined) throw new Error('no such server');
    return found;
  };
  const open = async (url: string): Promise<{ store: RedisStore; errors: string[] }> => {
    const errors: string[] = [];
    const store = redisStore({ url, onError: ({ message }) => errors.push(message) });
    cleanup.push(() => store.close());
    await store.ready(5_000);
    return { store, errors };
  };

  it('when the address has moved to another server and the old one hangs', async () => {
    const proxy = await delayProxy({ targetPort: server(0).port });
    cleanup.push(() => proxy.close());
    const { store, errors } = await open(`redis://127.0.0.1:${proxy.port}`);
    expect(await isAnswered(store, 's{vip}x')).toBe(true);
    server(0).pause();
    cleanup.push(() => server(0).resume());
    proxy.setTarget(server(1).port);
    expect(await silenceMs(store, 's{vip}x', 10_000)).toBeLessThan(4_000);
    expect(errors).toEqual([expect.stringContaining('has gone silent')]);
    expect(store.givenUp).toEqual([]);
  }, 30_000);

  it('when the greeting of the new server never came before the address moved', async () => {
    const proxy = await delayProxy({ targetPort: server(0).port });
    cleanup.push(() => proxy.close());
    const { store } = await open(`redis://127.0.0.1:${proxy.port}`);
    server(0).pause();
    cleanup.push(() => server(0).resume());
    await proxy.cut();
    await proxy.heal();
    expect(await silenceMs(store, 's{limbo}x', 2_000)).toBe(Infinity);
    proxy.setTarget(server(1).port);
    expect(await silenceMs(store, 's{limbo}x', 10_000)).toBeLessThan(4_000);
  }, 30_000);

  it('known failure 26: when it is a black hole; nothing is sent again', async () => {
    const hole = await blackHole(server(1).port);
    cleanup.push(() => hole.close());
    const { store } = await open(`redis://127.0.0.1:${hole.port}`);
    let answered = 0;
    for (let times = 0; times < 10; times += 1) answered += Number(await isAnswered(store, 's{hole}x'));
    hole.swallow();
    expect(await silenceMs(store, 's{hole}x', 10_000)).toBeLessThan(4_000);
    const [peek] = await store.take([ask('s{hole}x', 0)]);
    expect(peek).toMatchObject({ remaining: LIMIT - answered - 1 });
    // The first one, one to see, and the new one.
    expect(hole.connections()).toBe(3);
  }, 30_000);

  it('but not that of a server that hangs: what it grants late goes back', async () => {
    const { store, errors } = await open(server(1).url);
    expect(await isAnswered(store, 's{hang}x')).toBe(true);
    server(1).pause();
    expect(await silenceMs(store, 's{hang}x', 3_000)).toBe(Infinity);
    server(1).resume();
    expect(await silenceMs(store, 's{hang}x', 5_000)).toBeLessThan(2_000);
    await sleep(100);
    expect(await store.take([ask('s{hang}x', 0)])).toMatchObject([{ remaining: LIMIT - 2 }]);
    expect(errors).toEqual([]);
  }, 30_000);

  it('of a node of a cluster, and the other nodes keep theirs', async () => {
    const cluster = await startRedisCluster();
    cleanup.push(() => cluster.stop());
    const { owner } = await slotPlace(cluster, keySlot('s{hole}x'));
    const hole = await blackHole(owner.port);
    cleanup.push(() => hole.close());
    const admin = new Redis(owner.url);
    cleanup.push(() => admin.disconnect());
    await admin.config('SET', 'cluster-announce-port', String(hole.port));
    await sleep(2_500);
    let other = 0;
    while ((await slotPlace(cluster, keySlot(`s{o${other}}x`))).owner === owner) other += 1;
    const { store, errors } = await open(cluster.url);
    expect(await silenceMs(store, 's{hole}x', 5_000)).toBeLessThan(5_000);
    expect(await silenceMs(store, `s{o${other}}x`, 5_000)).toBeLessThan(5_000);
    const connections = hole.connections();
    hole.swallow();
    const [silent, missed] = await Promise.all([
      silenceMs(store, 's{hole}x', 15_000),
      (async () => {
        let count = 0;
        for (const endMs = performance.now() + 3_000; performance.now() < endMs; await sleep(10)) count += Number(!(await isAnswered(store, `s{o${other}}x`)));
        return count;
      })(),
    ]);
    expect(silent).toBeLessThan(6_000);
    expect(missed).toBeLessThan(10);
    expect(hole.connections()).toBeGreaterThan(connections);
    expect(errors.filter((error) => error.includes('gone silent'))).toHaveLength(1);
  }, 60_000);
});
