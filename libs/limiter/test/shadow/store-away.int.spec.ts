import { setTimeout as sleep } from 'node:timers/promises';
import { compileSnapshot, type Rule } from '@sluice/rules';
import { startRedis, type RedisServer } from '@sluice/testkit';
import { createLimiter, fixedLeases, redisStore, type Decision, type RedisStore, type ShadowVerdict } from '../../src/index.js';

const live: Rule = { rule_id: 'live', version: 1, limit: 100_000, window_seconds: 600, algorithm: 'fixed_window' };
const shadow: Rule = { ...live, rule_id: 'staged', policy: 'trial', limit: 1_000, consistency: 'exact', mode: 'shadow' };
const TIMEOUT_MS = 60;

describe('R58 R40 rules in shadow on a Redis that hangs', () => {
  let redis: RedisServer;
  let store: RedisStore;

  beforeAll(async () => {
    redis = await startRedis();
    store = redisStore({ url: redis.url, timeoutMs: TIMEOUT_MS });
    await store.ready(5_000);
  });
  afterAll(async () => {
    await store.close();
    await redis.stop();
  });

  it('hold no answer up, are unknown for as long as it hangs, and go on when it is back', async () => {
    const verdicts: Record<ShadowVerdict, number> = { allowed: 0, denied: 0, unknown: 0 };
    const rules = compileSnapshot({ version: 1, plans: [], rules: [live, shadow], overrides: [] });
    const limiter = createLimiter({ store, rules, sizing: fixedLeases(2_000), maxLease: 2_000, onShadow: (_rule, verdict) => (verdicts[verdict] += 1) });
    await limiter.check({ key_id: 'k' });
    await sleep(50);
    expect(verdicts).toEqual({ allowed: 1, denied: 0, unknown: 0 });
    redis.pause();
    const decisions: (Decision | Promise<Decision>)[] = [];
    for (let at = 0; at < 200; at += 1) decisions.push(limiter.check({ key_id: 'k' }));
    expect(decisions.filter((decision) => decision instanceof Promise)).toHaveLength(0);
    expect((await Promise.all(decisions)).every(({ allowed, deciding }) => allowed && deciding?.source === 'local')).toBe(true);
    await sleep(TIMEOUT_MS * 4);
    expect(verdicts).toEqual({ allowed: 1, denied: 0, unknown: 200 });
    redis.resume();
    for (const deadline = Date.now() + 5_000; verdicts.allowed < 3 && Date.now() < deadline; await sleep(50)) expect((await limiter.check({ key_id: 'k' })).allowed).toBe(true);
    expect(verdicts.allowed).toBeGreaterThanOrEqual(3);
    expect(verdicts.denied).toBe(0);
    await limiter.close();
  });
});
