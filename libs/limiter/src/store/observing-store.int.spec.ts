import { startRedis } from '@sluice/testkit';
import { compileSnapshot, quotaOf } from '@sluice/rules';
import { Redis } from 'ioredis';
import { createLimiter } from '../create-limiter.js';
import { memoryStore } from './memory-store.js';
import { observingStore } from './observing-store.js';
import { redisStore } from './redis-store.js';
import { StoreFault } from './store-fault.js';

const rules = compileSnapshot({ version: 1, plans: [], rules: [{ rule_id: 'r', version: 1, limit: 10, window_seconds: 60, consistency: 'exact' }], overrides: [] });
const CALLER = { key_id: 'k' };

describe('one who only looks at the counters', () => {
  it('sees what others have used, on Redis, and leaves every byte of it as it is', async () => {
    const server = await startRedis();
    const admin = new Redis(server.url);
    const store = redisStore({ url: server.url });
    await store.ready(2_000);
    const node = createLimiter({ store, rules, nodeId: 'node' });
    for (let at = 0; at < 3; at += 1) await node.check(CALLER);
    await node.close();
    const dump = async (): Promise<readonly (readonly [string, string])[]> => {
      const keys = (await admin.keys('*')).sort();
      return Promise.all(keys.map(async (key) => [key, (await admin.dumpBuffer(key))?.toString('base64') ?? ''] as const));
    };
    const before = await dump();
    const watcher = createLimiter({ store: observingStore(store), rules, nodeId: 'watcher' });
    expect((await watcher.peek(CALLER, 7)).deciding).toMatchObject({ allowed: true, remaining: 7 });
    expect((await watcher.peek(CALLER, 8)).deciding).toMatchObject({ allowed: false, reason: 'quota', remaining: 7 });
    // Even what would charge does not.
    expect(await watcher.check(CALLER)).toMatchObject({ deciding: { source: 'fallback' } });
    await watcher.reset(CALLER);
    expect(await dump()).toEqual(before);
    await watcher.close();
    expect(await dump()).toEqual(before);
    await store.close();
    await admin.quit();
    await server.stop();
  }, 30_000);

  it('is not counted among the nodes', async () => {
    const store = memoryStore();
    const asks: unknown[] = [];
    const heard = observingStore({ ...observingStore(store), heartbeat: async (beat) => (asks.push(beat), { nodes: 3, place: 0 }) });
    await heard.heartbeat?.({ key: 'k', nodeId: 'n', ttlMs: 5_000, splits: { key: 's', proposals: [{ counter: 'c', shards: 4 }], leadMs: 1, holdMs: 1, barMs: 1, most: 1 } });
    expect(asks).toEqual([{ key: 'k', nodeId: 'n', ttlMs: 0, splits: { key: 's', proposals: [], leadMs: 1, holdMs: 1, barMs: 1, most: 1 } }]);
  });

  it('refuses what is no peek, in the place of each', async () => {
    const quota = quotaOf({ limit: 5, window_seconds: 1 });
    const ask = { key: 'k', quota, need: 1, want: 1, backAmount: 0, backBucket: 0 };
    const [taken] = await observingStore(memoryStore()).take([ask]);
    expect(taken).toBeInstanceOf(StoreFault);
  });
});
