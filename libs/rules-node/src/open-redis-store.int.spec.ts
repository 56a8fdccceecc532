import { setTimeout as sleep } from 'node:timers/promises';
import { createLimiter } from '@sluice/limiter';
import { createLogger } from '@sluice/platform';
import { compileSnapshot } from '@sluice/rules';
import { startRedis } from '@sluice/testkit';
import { openRedisStore } from './open-redis-store.js';

describe('R41 a node whose Redis dies and comes back', () => {
  it('logs one warning when it is given up and one when it is back, however many decisions there are', async () => {
    const redis = await startRedis();
    const lines: { level: string; msg: string }[] = [];
    const logger = createLogger({ app: 'test', level: 'warn', destination: { write: (line) => void lines.push(JSON.parse(line) as (typeof lines)[number]) } });
    const store = await openRedisStore([redis.url], logger);
    const rules = compileSnapshot({ version: 1, plans: [], overrides: [], rules: [{ rule_id: 'r', version: 1, limit: 1000, window_seconds: 60, consistency: 'exact' }] });
    const limiter = createLimiter({ store, rules, fleetSize: 1 });
    const warnings = (text: string) => lines.filter(({ level, msg }) => level === 'warn' && msg.includes(text));
    const traffic = async (ms: number): Promise<void> => {
      for (const endMs = Date.now() + ms; Date.now() < endMs; await sleep(5)) await limiter.check({ key_id: 'k' });
    };
    await traffic(100);
    expect(lines).toEqual([]);
    await redis.kill();
    await traffic(800);
    expect(store.givenUp).toEqual([`127.0.0.1:${redis.port}`]);
    await redis.restart();
    // It is probed every second or two; on a busy machine the server takes a while to be there.
    for (const endMs = Date.now() + 15_000; warnings('asked again').length === 0 && Date.now() < endMs; ) await traffic(250);
    await traffic(500);
    expect(store.givenUp).toEqual([]);
    expect([warnings('left alone').length, warnings('asked again').length]).toEqual([1, 1]);
    await limiter.close();
    await store.close();
    await redis.stop();
  }, 30_000);
});
