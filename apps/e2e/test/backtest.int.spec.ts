import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDecisionLog, DECISION_LOG_CONFIG, type DecisionStore, openDuckDbStore, type RunningDecisionLog } from '@sluice-app/decision-log';
import type { DecisionEvent } from '@sluice/events';
import { createLimiter, memoryStore } from '@sluice/limiter';
import { createLogger, type EventBus, KafkaBus, loadConfig } from '@sluice/platform';
import { compileSnapshot, type Snapshot } from '@sluice/rules';
import { type RedisServer, sharedKafka, sharedPostgres, startRedis, type TestDatabase } from '@sluice/testkit';
import { Redis } from 'ioredis';
import { ask } from './support/ask.js';
import { BUILD_TIMEOUT_MS, buildApps } from './support/build-apps.js';
import { freePlace, type Place } from './support/free-place.js';
import { endPrograms, startProgram } from './support/program.js';
import { ADMIN_TOKEN, startRulesAdmin } from './support/rules-admin.js';
import { until } from './support/until.js';

const TIMEOUT_MS = 120_000;
const REQUESTS = 200;
const KEYS = ['k0', 'k1', 'k2', 'k3', 'k4', 'k5'];

/**
 * Windows of which the story sees one part alone, so that its verdicts hang on the order of the requests and not on the ms at which Redis and the node each
 * read their clocks: an hour that slides, a bucket that gives a permit back in seven minutes.
 */
const RULES: Readonly<Record<string, object>> = {
  'per-key': { plan: 'free', limit: 45, window_seconds: 3_600, algorithm: 'sliding_log', consistency: 'exact' },
  search: { plan: 'free', endpoint: 'GET /search', policy: 'search', limit: 9, window_seconds: 3_600, algorithm: 'sliding_log', consistency: 'exact' },
  everybody: { plan: 'free', policy: 'everybody', count_by: ['plan'], limit: 180, window_seconds: 86_400, algorithm: 'token_bucket', consistency: 'exact' },
};
const OTHER = [
  { rule_id: 'per-key', version: 2, plan: 'free', limit: 30, window_seconds: 86_400, algorithm: 'gcra', burst: 30, consistency: 'exact' },
  { rule_id: 'search', version: 2, plan: 'free', endpoint: 'GET /search', policy: 'search', limit: 20, window_seconds: 3_600, sub_buckets: 10, consistency: 'exact' },
] as const satisfies Snapshot['rules'];

interface Result {
  readonly sampled: boolean;
  readonly events: number;
  readonly total: { readonly refused: number; readonly compared: object; readonly interval: object };
  readonly rules: readonly { readonly rule_id: string; readonly refused: number }[];
  readonly recorded_rules: readonly { readonly rule_id: string; readonly really_refused: number }[];
  readonly keys: readonly { readonly name: string; readonly refused: number }[];
}

describe('R59 Backtest of recorded traffic gives the same refusals as enforcing it live did', () => {
  const region = `bt-${process.pid}-${Date.now().toString(36)}`;
  let fromMs = 0;
  let place: Place;
  let database: TestDatabase;
  let redis: RedisServer;
  let store: DecisionStore;
  let bus: EventBus;
  let log: RunningDecisionLog;
  let dir: string;
  const refusedByKey = new Map<string, number>();
  let refused = 0;

  async function recorded(): Promise<readonly DecisionEvent[]> {
    const events: DecisionEvent[] = [];
    for await (const chunk of store.scan({ fromMs, toMs: Date.now() + 60_000, region })) events.push(...chunk);
    return events.sort((a, b) => sequenceOf(a) - sequenceOf(b));
  }

  async function backtested(rules: unknown): Promise<Result> {
    const body = { from: new Date(fromMs).toISOString(), to: new Date(Date.now() + 60_000).toISOString(), rules, filter: { region } };
    const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
    const started = await ask(`${log.url}/v1/backtests`, { method: 'POST', headers, body });
    expect([started.status, started.text]).toEqual([202, expect.any(String)]);
    const at = `${log.url}${String(started.headers.location)}`;
    await until(async () => ((await ask(at, { headers })).json() as { ended_at: string | null }).ended_at !== null, 30_000);
    const ended = (await ask(at, { headers })).json() as { state: string; result: Result };
    expect(ended.state).toBe('done');
    return ended.result;
  }

  beforeAll(async () => {
    await buildApps();
    const kafka = await sharedKafka();
    [database, redis, place, dir] = await Promise.all([sharedPostgres(), startRedis(), freePlace(), mkdtemp(join(tmpdir(), 'sluice-backtest-'))]);
    const admin = await startRulesAdmin(database.url);
    expect((await admin.api.put('/v1/plans/free', { name: 'Free' }, { 'if-none-match': '*' })).status).toBe(201);
    for (const [id, rule] of Object.entries(RULES)) {
      const { status, text } = await admin.api.put(`/v1/rules/${id}`, rule, { 'if-none-match': '*' });
      expect([id, status, text]).toEqual([id, 201, expect.any(String)]);
    }
    startProgram('decision', {
      ...place.env,
      SLUICE_ADMIN_URL: admin.url,
      SLUICE_ADMIN_TOKEN: ADMIN_TOKEN,
      SLUICE_REDIS_URL: redis.url,
      SLUICE_KAFKA_BROKERS: kafka.brokers.join(','),
      SLUICE_REGION: region,
      SLUICE_STREAM_ALLOWS: '1',
      SLUICE_LOG_LEVEL: 'error',
    });
    await until(async () => (await ask(`${place.decision}/readyz`)).status === 200, 30_000);
    const logger = createLogger({ app: 'e2e', level: 'fatal' });
    const config = loadConfig(DECISION_LOG_CONFIG, { SLUICE_ADMIN_URL: admin.url, SLUICE_ADMIN_TOKEN: ADMIN_TOKEN, SLUICE_DECISION_LOG_DIR: dir, SLUICE_DECISION_LOG_HOST: '127.0.0.1', SLUICE_DECISION_LOG_PORT: '0' });
    store = await openDuckDbStore({ dir, retentionMs: config.retentionMs, logger });
    bus = new KafkaBus({ brokers: kafka.brokers, clientId: 'e2e-backtest', logger });
    log = await createDecisionLog({ config, store, bus, logger });
  }, BUILD_TIMEOUT_MS);

  afterAll(async () => {
    await log.close();
    await bus.close();
    await store.close();
    await endPrograms();
    await Promise.all([redis.stop(), database.drop(), rm(dir, { recursive: true, force: true })]);
  }, TIMEOUT_MS);

  /** One run of the traffic, from empty counters. */
  async function serve(): Promise<readonly DecisionEvent[]> {
    await emptyRedis(redis.url);
    refusedByKey.clear();
    refused = 0;
    // The node's reading of the clock of Redis may be a little behind.
    fromMs = Date.now() - 20;
    let state = 59;
    const random = (below: number): number => ((state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) >>> 8) % below;
    for (let at = 0; at < REQUESTS; at += 1) {
      // Some keys far busier than others.
      const key_id = KEYS[Math.min(random(8), random(KEYS.length))] ?? 'k0';
      const known = { plan: 'free', key_id, endpoint: random(4) === 0 ? 'GET /search' : 'GET /items' };
      const answer = await ask(`${place.decision}/v1/ratelimit:check`, { method: 'POST', body: { domain: 'api', cost: 1 + random(3), descriptors: Object.entries(known).map(([key, value]) => ({ key, value })) } });
      expect([200, 429]).toContain(answer.status);
      if (!answer.text.includes('OVER_LIMIT')) continue;
      refused += 1;
      refusedByKey.set(key_id, (refusedByKey.get(key_id) ?? 0) + 1);
    }
    await until(async () => (await recorded()).length >= REQUESTS, 60_000);
    return recorded();
  }

  it('a node serves random traffic, and all of it lands in the store', async () => {
    let events = await serve();
    // Where Redis did not answer in time, on a machine that is too busy, the node decided by itself: a replay cannot know that, so the traffic comes once more.
    for (let again = 0; again < 10 && events.some(({ source }) => source === 'fallback'); again += 1) events = await serve();
    expect(events.filter(({ source }) => source === 'fallback')).toEqual([]);
    expect(events.length).toBe(REQUESTS);
    expect(refused).toBeGreaterThan(50);
    expect(events.filter(({ allowed }) => !allowed).length).toBe(refused);
  }, 3 * TIMEOUT_MS);

  it('the same rules: the same refusals, by rule and by key', async () => {
    const result = await backtested({});
    expect(result).toMatchObject({
      sampled: false,
      events: REQUESTS,
      total: { refused, compared: { really_refused: refused, newly_refused: 0, newly_allowed: 0, same: REQUESTS }, interval: { at_least: refused, at_most: refused, confidence: 1 } },
    });
    expect(byKey(result)).toEqual(refusedByKey);
    expect(byRule(result)).toEqual(new Map(result.recorded_rules.map(({ rule_id, really_refused }) => [rule_id, really_refused])));
    // All three of them refused somebody, so that the order of the limits is part of it.
    expect(byRule(result).size).toBe(3);
  }, TIMEOUT_MS);

  it('other rules: what a live engine refuses of the same traffic, its clock set to the time of each event', async () => {
    const events = await recorded();
    let nowMs = events[0]?.at_ms ?? 0;
    const clock = { nowMs: () => nowMs };
    const rules = compileSnapshot({ version: 2, plans: [{ plan_id: 'free' }], rules: OTHER, overrides: [] });
    const limiter = createLimiter({ store: memoryStore(clock), rules, clock });
    const live = new Map<string, number>();
    const keys = new Map<string, number>();
    for (const { at_ms, attributes, cost } of events) {
      nowMs = Math.max(nowMs, at_ms);
      const { allowed, deciding } = await limiter.check(attributes, cost);
      if (allowed || deciding === undefined) continue;
      live.set(deciding.ruleId, (live.get(deciding.ruleId) ?? 0) + 1);
      keys.set(attributes['key_id'] ?? '', (keys.get(attributes['key_id'] ?? '') ?? 0) + 1);
    }
    await limiter.close();
    const result = await backtested(OTHER);
    expect(byRule(result)).toEqual(live);
    expect(byKey(result)).toEqual(keys);
    expect(live.get('per-key')).toBeGreaterThan(20);
    const changes = await backtested({ upsert: OTHER, remove: ['everybody'] });
    expect(byRule(changes)).toEqual(live);
  }, TIMEOUT_MS);
});

async function emptyRedis(url: string): Promise<void> {
  const client = new Redis(url);
  await client.flushall();
  client.disconnect();
}

function sequenceOf({ event_id }: DecisionEvent): number {
  return Number(event_id.split(':')[1]);
}

function byRule({ rules }: Result): ReadonlyMap<string, number> {
  return new Map(rules.filter((rule) => rule.refused > 0).map((rule) => [rule.rule_id, rule.refused]));
}

function byKey({ keys }: Result): ReadonlyMap<string, number> {
  return new Map(keys.filter((key) => key.refused > 0).map((key) => [key.name, key.refused]));
}
