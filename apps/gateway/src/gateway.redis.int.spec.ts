import { redisStore } from '@sluice/limiter';
import type { RedisStore } from '@sluice/limiter';
import { createLogger } from '@sluice/platform';
import { startRedis } from '@sluice/testkit';
import type { RedisServer } from '@sluice/testkit';
import { FREE_RULES, startStage } from '../test/running-gateway.js';
import type { Stage, StageOptions } from '../test/running-gateway.js';

describe('gateways on one Redis', () => {
  let redis: RedisServer;
  const stages: Stage[] = [];
  const stores: RedisStore[] = [];

  async function open(options: StageOptions = {}): Promise<Stage> {
    // Longer than in production: on a busy machine some would be decided by the fallback.
    const store = redisStore({ url: redis.url, timeoutMs: 1000 });
    await store.ready(5000);
    stores.push(store);
    const stage = await startStage({ ...options, store });
    stages.push(stage);
    return stage;
  }
  beforeEach(async () => {
    redis = await startRedis();
  });
  afterEach(async () => {
    for (const stage of stages.splice(0)) await stage.close();
    for (const store of stores.splice(0)) await store.close();
    await redis.stop();
  });

  it('R5 known failure 58: three of them admit what one would', async () => {
    const gateways = [await open(), await open(), await open()];
    const responses = await Promise.all(Array.from({ length: 30 }, (_, i) => gateways[i % 3]?.ask('/hello')));
    const statuses = responses.map((response) => response?.status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(25);
  });

  it('R76 the coarse pass is counted by all of them together', async () => {
    const coarse = { rule_id: 'coarse', version: 1, domain: 'edge', count_by: ['ip'], policy: 'address', limit: 6, window_seconds: 60 };
    const gateways = [await open({ rules: [coarse] }), await open({ rules: [coarse] }), await open({ rules: [coarse] })];
    const responses = await Promise.all(Array.from({ length: 24 }, (_, i) => gateways[i % 3]?.ask('/hello', { key: `guess-${i}` })));
    const statuses = responses.map((response) => response?.status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(6);
    expect(statuses.filter((status) => status === 429)).toHaveLength(18);
  });

  it('R41 without Redis a rule lets the node go on by itself, or refuses with 503', async () => {
    const lines: string[] = [];
    const logger = createLogger({ app: 'gateway', level: 'warn', destination: { write: (line: string) => void lines.push(line) } });
    const { ask, gateway } = await open({
      logger,
      rules: [...FREE_RULES, { rule_id: 'pay', version: 1, endpoint: 'POST /v1/pay', policy: 'pay', limit: 10, window_seconds: 60, on_store_failure: 'deny' }],
    });
    const readiness = async () => {
      const response = await fetch(`${gateway.opsUrl}/readyz`);
      return { status: response.status, ...((await response.json()) as { checks: { counters: unknown } }).checks };
    };
    expect(await readiness()).toMatchObject({ status: 200, counters: { ok: true, detail: expect.stringMatching(/^connected; 0 of/) } });
    await redis.kill();
    const passed = await ask('/hello');
    expect(passed.status).toBe(200);
    const refused = await ask('/v1/pay', { method: 'POST' });
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(await refused.json()).toMatchObject({ type: 'https://iana.org/assignments/http-problem-types#temporary-reduced-capacity', 'violated-policies': ['pay'] });
    const metrics = await (await fetch(`${gateway.opsUrl}/metrics`)).text();
    expect(metrics).toMatch(/sluice_decisions_total\{rule="free-default",outcome="allowed",source="fallback",app="gateway"\} 1/);
    expect(metrics).toMatch(/sluice_decisions_total\{rule="pay",outcome="unavailable",source="fallback",app="gateway"\} 1/);
    expect(await readiness()).toMatchObject({ status: 200, counters: { ok: true, detail: expect.stringMatching(/^degraded: .*2 decisions by the fallback$/) } });
    expect(lines.filter((line) => line.includes('decisions come from the fallback'))).toHaveLength(1);
  });
});
