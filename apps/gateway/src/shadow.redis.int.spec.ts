import { redisStore, type RedisStore } from '@sluice/limiter';
import type { Rule } from '@sluice/rules';
import { delayProxy, type DelayProxy, startRedis, type RedisServer } from '@sluice/testkit';
import { startStage, type Stage } from '../test/running-gateway.js';

const exact: Rule = { rule_id: 'free-default', version: 1, plan: 'free', limit: 5, window_seconds: 600, algorithm: 'sliding_log', consistency: 'exact' };
const SHADOWS: readonly Rule[] = [
  { ...exact, rule_id: 'proposed:free-default', limit: 2, mode: 'shadow' },
  { ...exact, rule_id: 'staged', endpoint: 'GET /hello', limit: 3, mode: 'shadow', policy: 'other', on_store_failure: 'deny' },
];
const DELAY_MS = 150;

describe('R58 a rule in shadow never changes a response', () => {
  let redis: RedisServer;
  let proxy: DelayProxy;
  const stages: Stage[] = [];
  const stores: RedisStore[] = [];

  beforeEach(async () => {
    redis = await startRedis();
    proxy = await delayProxy({ targetPort: redis.port });
  });
  afterEach(async () => {
    for (const stage of stages.splice(0)) await stage.close();
    for (const store of stores.splice(0)) await store.close();
    await proxy.close();
    await redis.stop();
  });

  async function open(rules: readonly Rule[]): Promise<Stage> {
    const store = redisStore({ url: `redis://127.0.0.1:${proxy.port}`, timeoutMs: 1000 });
    await store.ready(5000);
    stores.push(store);
    const stage = await startStage({ rules, store });
    stages.push(stage);
    return stage;
  }

  /** A response without what differs from one request to the next: times, and the request's own id. */
  async function shown(response: Response): Promise<unknown> {
    const headers = [...response.headers].filter(([name]) => !['date', 'x-request-id', 'x-ratelimit-reset', 'retry-after'].includes(name)).map(([name, value]) => [name, value.replaceAll(/;t=\d+/g, ';t=…')]);
    const body = response.status === 200 ? '' : JSON.stringify({ ...((await response.json()) as object), instance: undefined, request_id: undefined, retry_after_seconds: undefined }).replaceAll(/\d+ s(?:econds)?/g, '… s');
    return { status: response.status, names: [...response.headers.keys()].sort(), headers, body };
  }

  async function answers(stage: Stage, count: number): Promise<readonly unknown[]> {
    const all: unknown[] = [];
    for (let at = 0; at < count; at += 1) all.push(await shown(await stage.ask('/hello')));
    return all;
  }

  it.each<[string, () => Promise<void> | void, number]>([
    ['is well', () => undefined, 8],
    ['is slow', () => proxy.setDelayMs(DELAY_MS), 8],
    ['is dead', () => redis.kill(), 8],
  ])('on a Redis that %s', async (_name, disturb, count) => {
    const without = await open([exact]);
    const plain = await (async () => {
      await disturb();
      return answers(without, count);
    })();
    stages.splice(0);
    await without.close();
    if (plain.every((answer) => JSON.stringify(answer).includes('"status":200'))) throw new Error('nothing was refused');
    // The same again beside rules in shadow, on counters that are empty.
    await proxy.close();
    await redis.stop();
    redis = await startRedis();
    proxy = await delayProxy({ targetPort: redis.port });
    const watched = await open([exact, ...SHADOWS]);
    await disturb();
    expect(await answers(watched, count)).toEqual(plain);
  }, 30_000);

  it('nor makes one wait: with a Redis that is slow it takes one trip, not two', async () => {
    const watched = await open([exact, ...SHADOWS]);
    await watched.ask('/hello');
    // Much, so that what the machine itself takes does not matter.
    proxy.setDelayMs(500);
    const startedMs = performance.now();
    expect((await watched.ask('/hello')).status).toBe(200);
    const tookMs = performance.now() - startedMs;
    expect(tookMs).toBeGreaterThanOrEqual(490);
    expect(tookMs).toBeLessThan(990);
  });
});
