import { setTimeout as sleep } from 'node:timers/promises';
import { delayProxy, startRedis, type RedisServer } from '@sluice/testkit';
import { createLimiter, redisStore, type Limiter, type RedisStore } from '../../src/index.js';
import { rulesOf } from '../support/fixture.js';

const KEYS = 20;
const NODES = 2;
const LIMIT = 10_000;
const rules = rulesOf([{ rule_id: 'r', algorithm: 'fixed_window', limit: LIMIT, window_seconds: 86_400, consistency: 'approximate' }]);
/** Of each node for each key. */
const ALLOWANCE = (0.05 * LIMIT) / NODES;

describe('R29 R42 approximate, while Redis is in trouble', () => {
  let redis: RedisServer;
  let proxy: Awaited<ReturnType<typeof delayProxy>>;
  const stores: RedisStore[] = [];

  beforeEach(async () => {
    redis = await startRedis();
    proxy = await delayProxy({ targetPort: redis.port });
  }, 60_000);
  afterEach(async () => {
    await Promise.all(stores.splice(0).map((store) => store.close()));
    await proxy.close();
    await redis.stop();
  });

  async function node(port: number): Promise<Limiter> {
    const store = redisStore({ url: `redis://127.0.0.1:${port}` });
    await store.ready(5000);
    stores.push(store);
    return createLimiter({ store, rules, fleetSize: NODES });
  }

  /** Requests to both nodes for some time; how many of each key were admitted, by the store's leave or on credit. */
  async function traffic(nodes: readonly Limiter[], forMs: number, admitted: number[]): Promise<void> {
    const endMs = performance.now() + forMs;
    const answers: Promise<void>[] = [];
    for (let at = 0; performance.now() < endMs; at += 1) {
      const key = at % KEYS;
      const answer = Promise.resolve(nodes[at % NODES]!.check({ key_id: `k${key}` }));
      answers.push(
        answer.then(({ allowed, deciding }) => {
          if (allowed && deciding?.source !== 'fallback') admitted[key] = (admitted[key] ?? 0) + 1;
        }),
      );
      if (at % 3 === 0) await sleep(1);
    }
    await Promise.all(answers);
  }

  it.each([
    [
      'answers are lost',
      () => proxy.dropReplies(true),
      async () => {
        // Without those that are missing, the next ones would be taken for them.
        await proxy.cut();
        proxy.dropReplies(false);
        await proxy.heal();
      },
    ],
    ['it hangs', () => redis.pause(), () => redis.resume()],
  ] as const)('while %s the store counts all that was admitted, and what ran twice is some allowances at most', async (name, begin, end) => {
    const nodes = [await node(proxy.port), await node(proxy.port)];
    const watcher = await node(redis.port);
    const admitted: number[] = [];
    // Until each key was reported once, so that the server has the script.
    await traffic(nodes, 1600, admitted);
    await begin();
    await traffic(nodes, 1500, admitted);
    await end();
    await traffic(nodes, 1500, admitted);
    await Promise.all(nodes.map((each) => each.close()));
    const stats = nodes.map((each) => each.stats());
    let twice = 0;
    for (let key = 0; key < KEYS; key += 1) {
      const counted = LIMIT - ((await watcher.peek({ key_id: `k${key}` })).deciding?.remaining ?? 0);
      expect(counted).toBeGreaterThanOrEqual(admitted[key] ?? 0);
      twice = Math.max(twice, counted - (admitted[key] ?? 0));
    }
    process.stdout.write(
      `approximate while ${name}: ${admitted.reduce((sum, each) => sum + each, 0)} admitted, at most ${twice} of a key counted twice, ${stats.reduce((sum, each) => sum + each.unreported, 0)} never\n`,
    );
    // A hung server answers late, so that most of it is put right.
    if (name === 'answers are lost') expect(twice).toBeGreaterThan(0);
    expect(twice).toBeLessThanOrEqual(2 * ALLOWANCE);
    expect(stats.map(({ unreported }) => unreported)).toEqual([0, 0]);
    await watcher.close();
  }, 30_000);
});
