import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sharedRedis, sharedRedisCluster } from '@sluice/testkit';
import { createLimiter, redisStore, type Limiter, type LimiterStats, type RedisStore } from '../../src/index.js';
import { rulesOf, type RuleInput } from '../support/fixture.js';

const SIZE = 8;
const attributes = { key_id: 'k1' };

async function fleetOn(url: string, rule: RuleInput): Promise<{ nodes: readonly Limiter[]; end(): Promise<LimiterStats[]> }> {
  const stores: RedisStore[] = [];
  const keyPrefix = `t${randomBytes(6).toString('hex')}`;
  const nodes = await Promise.all(
    Array.from({ length: SIZE }, async () => {
      const store = redisStore({ url, timeoutMs: 5000 });
      await store.ready(5000);
      stores.push(store);
      return createLimiter({ store, rules: rulesOf([rule]), fleetSize: SIZE, keyPrefix });
    }),
  );
  const end = async (): Promise<LimiterStats[]> => {
    await Promise.all(nodes.map((node) => node.close()));
    const stats = nodes.map((node) => node.stats());
    await Promise.all(stores.map((store) => store.close()));
    return stats;
  };
  return { nodes, end };
}

/** Sends requests to all nodes, some each ms, until so many were sent; how many were admitted, and how many had to wait. */
async function load(nodes: readonly Limiter[], requests: number, aMs: number): Promise<{ admitted: number; waited: number }> {
  let [admitted, waited, sent] = [0, 0, 0];
  const answers: Promise<void>[] = [];
  const startMs = performance.now();
  while (sent < requests) {
    const due = Math.min(requests, Math.floor((performance.now() - startMs) * aMs));
    for (; sent < due; sent += 1) {
      const answer = nodes[sent % nodes.length]!.check(attributes);
      if (answer instanceof Promise) {
        waited += 1;
        answers.push(answer.then(({ allowed }) => void (admitted += Number(allowed))));
      } else {
        admitted += Number(answer.allowed);
      }
    }
    await sleep(1);
  }
  await Promise.all(answers);
  return { admitted, waited };
}

describe.each([
  ['Redis', async () => (await sharedRedis()).url],
  ['Redis Cluster', async () => (await sharedRedisCluster()).url],
] as const)('R29 approximate, eight nodes on %s', (name, urlOf) => {
  it('far from the limit nobody waits, and the store hears of every permit', async () => {
    const { nodes, end } = await fleetOn(await urlOf(), { rule_id: 'r', algorithm: 'fixed_window', limit: 40_000, window_seconds: 86_400, consistency: 'approximate' });
    const { admitted, waited } = await load(nodes, 8_000, 8);
    const left = (await nodes[0]!.peek(attributes)).deciding?.remaining ?? 0;
    const stats = await end();
    const reports = stats.reduce((sum, each) => sum + each.reports, 0);
    process.stdout.write(`approximate on ${name}: 8,000 requests, ${waited} waited, ${reports} reports\n`);
    expect(admitted).toBe(8_000);
    expect(waited).toBeLessThan(80);
    expect(reports).toBeLessThan(400);
    expect(stats.reduce((sum, each) => sum + each.reported, 0)).toBeGreaterThanOrEqual(8_000 - waited - 8 * 250);
    expect(left).toBeGreaterThanOrEqual(32_000);
  }, 30_000);

  it('under three times the limit 95 to 105 % of it pass', async () => {
    const { nodes, end } = await fleetOn(await urlOf(), { rule_id: 'r', algorithm: 'fixed_window', limit: 4_000, window_seconds: 86_400, consistency: 'approximate' });
    const { admitted } = await load(nodes, 12_000, 8);
    const stats = await end();
    const trips = stats.reduce((sum, each) => sum + each.reports + each.asks, 0);
    process.stdout.write(`approximate on ${name}: 12,000 requests of 4,000 that may pass, ${admitted} passed, ${(trips / 12_000).toFixed(3)} trips a request\n`);
    expect(admitted).toBeGreaterThanOrEqual(3_800);
    expect(admitted).toBeLessThanOrEqual(4_200);
    expect(stats.every(({ unreported }) => unreported === 0)).toBe(true);
  }, 30_000);

  it('what the nodes admitted is what the store counts, when they have stopped', async () => {
    const rule: RuleInput = { rule_id: 'r', algorithm: 'fixed_window', limit: 40_000, window_seconds: 86_400, consistency: 'approximate' };
    const { nodes, end } = await fleetOn(await urlOf(), rule);
    const { admitted } = await load(nodes, 3_000, 8);
    await Promise.all(nodes.slice(1).map((node) => node.close()));
    expect((await nodes[0]!.peek(attributes)).deciding?.remaining).toBe(40_000 - admitted);
    await end();
  }, 30_000);
});
