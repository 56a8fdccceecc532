import { type RedisServer, sharedPostgres, startRedis, type TestDatabase } from '@sluice/testkit';
import { Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from './support/ask.js';
import { BUILD_TIMEOUT_MS, buildApps } from './support/build-apps.js';
import { burst } from './support/burst.js';
import { expectLimits, expectRefusal } from './support/expect-limits.js';
import { freePlace, type Place } from './support/free-place.js';
import { halfARequest } from './support/half-a-request.js';
import { processTree, stillRunning } from './support/process-tree.js';
import { endPrograms, type Program, startProgram } from './support/program.js';
import { freeRule, type RulesApi, rulesApi, setFreeLimit } from './support/rules-api.js';
import { startUpstream, type Upstream } from './support/start-upstream.js';
import { killNow } from './support/kill-now.js';
import { until } from './support/until.js';

const BANNER = /Ctrl-C stops it/;
const TIMEOUT_MS = 60_000;
const CALLER = [
  { key: 'key_id', value: 'demo-free' },
  { key: 'plan', value: 'free' },
];

describe('R90 npm run stack: the same apps as separate processes', () => {
  let place: Place;
  let database: TestDatabase;
  let redis: RedisServer;
  let stack: Program;
  let token: string;
  let key: Readonly<Record<string, string>>;
  let api: RulesApi;

  const servers = (): Record<string, string> => ({ SLUICE_DATABASE_URL: database.url, SLUICE_REDIS_URL: redis.url });
  const through = (gateway: string, path: string) => ask(`${gateway}${path}`, { headers: key });
  /** What decision says of the caller whom the gateway knows by the key; reads only. */
  const peek = async (endpoint: string): Promise<unknown> => {
    const body = { domain: 'default', descriptors: [...CALLER, { key: 'endpoint', value: endpoint }], peek: true };
    return (await ask(`${place.decision}/v1/ratelimit:check`, { method: 'POST', body })).json();
  };
  const ready = (url: string): Promise<void> => until(async () => (await ask(`${url}/readyz`)).status === 200);

  beforeAll(async () => {
    await buildApps();
    [place, database, redis] = await Promise.all([freePlace(), sharedPostgres(), startRedis()]);
    stack = startProgram('stack', { ...place.env, ...servers() });
    await stack.untilSaid(BANNER);
    [, token = ''] = await stack.untilSaid(/admin token +(\S+)/);
    const [, secret = ''] = await stack.untilSaid(/demo-free: (sk_\S+)/);
    key = { 'x-api-key': secret };
    api = rulesApi(place.admin, token);
  }, BUILD_TIMEOUT_MS);

  afterAll(async () => {
    await endPrograms();
    await Promise.all([redis.stop(), database.drop()]);
  }, TIMEOUT_MS);

  it('says where everything is once everything is ready, and what was seeded', async () => {
    for (const url of [place.gateway, `${place.admin}/docs`, place.decision, `${place.ops}/readyz`]) expect(stack.output).toContain(url);
    for (const url of [place.admin, place.ops, place.decision]) expect((await ask(`${url}/readyz`)).status).toBe(200);
    expect((await api.get('/v1/rules/free-default')).json()).toMatchObject({ limit: 5, version: 1 });
  });

  it('R70 the gateway limits a burst; R5 decision knows of it by the one counter in Redis', async () => {
    const { allowed, refused } = await burst(`${place.gateway}/hello`, 8, key);
    const elsewhere = await peek('GET /hello');
    expect([allowed.length, refused.length]).toEqual([5, 3]);
    for (const answer of [...allowed, ...refused]) expectLimits(answer, 5, 1);
    refused.forEach(expectRefusal);
    expect(elsewhere).toMatchObject({ overallCode: 'OVER_LIMIT', rule_id: 'free-default', limit: 5, limitRemaining: 0 });
    const client = new Redis(redis.url);
    // Beside it the fleet: the gateway and the decision service (R41).
    expect((await client.keys('*')).filter((name) => !name.startsWith('s{nodes}'))).toHaveLength(1);
    expect(await client.zcard('s{nodes}')).toBe(2);
    client.disconnect();
  }, TIMEOUT_MS);

  it('R41 gateway and decision know that they are two, to share limits by when Redis is away', async () => {
    for (const url of [place.ops, place.decision]) await until(async () => /^sluice_fleet_size(\{.*\})? 2$/m.test((await ask(`${url}/metrics`)).text));
  }, TIMEOUT_MS);

  it('R55 a change reaches every node within 2 s by the poll of a second', async () => {
    const startedMs = Date.now();
    await setFreeLimit(api, 20);
    await Promise.all([
      until(async () => (await through(place.gateway, '/hello')).headers['x-ratelimit-limit'] === '20'),
      until(async () => JSON.stringify(await peek('GET /hello')).includes('"limit":20')),
    ]);
    const tookMs = Date.now() - startedMs;
    process.stdout.write(`R55: by polling a change of a rule reached both nodes in ${tookMs} ms\n`);
    expect(tookMs).toBeLessThan(2000);
  }, TIMEOUT_MS);

  it('a second stack on the same ports is refused with a reason and harms nothing', async () => {
    const second = startProgram('stack', { ...place.env, ...servers() });
    expect(await second.ended).toBe(1);
    expect(second.output).toMatch(/is taken.*SLUICE_GATEWAY_PORT\n.*SLUICE_GATEWAY_OPS_PORT\n.*SLUICE_ADMIN_PORT\n.*SLUICE_DECISION_PORT\n.*SLUICE_DECISION_GRPC_PORT\n$/);
    for (const url of [place.admin, place.ops, place.decision]) expect((await ask(`${url}/readyz`)).status).toBe(200);
  }, TIMEOUT_MS);

  describe('beside it, a control plane and a gateway that may die, on the same servers', () => {
    let own: Place;
    let upstream: Upstream;
    let admin: Program;
    let gateway: Program;

    const env = (): Record<string, string> => ({
      ...own.env,
      ...servers(),
      SLUICE_ADMIN_TOKEN: token,
      SLUICE_ADMIN_URL: own.admin,
      SLUICE_UPSTREAM_URL: upstream.url,
      SLUICE_SNAPSHOT_POLL: '500ms',
      SLUICE_KEY_TTL: '500ms',
      SLUICE_LOG_LEVEL: 'warn',
    });
    const statuses = async (at: string, path: string, count: number): Promise<number[]> => {
      const all: number[] = [];
      for (let i = 0; i < count; i += 1) all.push((await through(at, path)).status);
      return all;
    };

    beforeAll(async () => {
      [own, upstream] = await Promise.all([freePlace(), startUpstream()]);
      // A minute, so that what is counted outlasts a restart.
      const rule = { plan: 'free', endpoint: 'GET /slow', limit: 10, window_seconds: 60, policy: 'slow', algorithm: 'fixed_window' };
      expect((await api.put('/v1/rules/slow', rule, { 'if-none-match': '*' })).status).toBe(201);
      admin = startProgram('rules-admin', env());
      gateway = startProgram('gateway', env());
      await Promise.all([ready(own.admin), ready(own.ops)]);
    }, TIMEOUT_MS);

    afterAll(() => upstream.close());

    it('a gateway that was killed and started again goes on where the counter in Redis is', async () => {
      await until(async () => JSON.stringify(await peek('GET /slow')).includes('"slow"'));
      if (Date.now() % 60_000 > 50_000) await sleep(60_001 - (Date.now() % 60_000)); // In one minute of the clock.
      expect(await statuses(own.gateway, '/slow', 6)).toEqual([200, 200, 200, 200, 200, 200]);
      expect(await gateway.end('SIGKILL')).toBe('SIGKILL');
      gateway = startProgram('gateway', env());
      await ready(own.ops);
      expect(await statuses(own.gateway, '/slow', 5)).toEqual([200, 200, 200, 200, 429]);
      expect(await statuses(place.gateway, '/slow', 1)).toEqual([429]);
    }, TIMEOUT_MS);

    it('R43 with the control plane killed traffic goes on, known keys and limits alike, for longer than a key is cached', async () => {
      await sleep(1100);
      expect(await admin.end('SIGKILL')).toBe('SIGKILL');
      const seen = new Set<number>();
      let slowestMs = 0;
      for (const untilMs = Date.now() + 2500; Date.now() < untilMs; await sleep(100)) {
        const startedMs = Date.now();
        seen.add((await through(own.gateway, '/hello')).status);
        slowestMs = Math.max(slowestMs, Date.now() - startedMs);
      }
      expect([...seen]).toEqual([200]);
      expect(slowestMs).toBeLessThan(1000);
      expect((await ask(`${own.ops}/readyz`)).status).toBe(200);
      await sleep(2000);
      const { allowed, refused } = await burst(`${own.gateway}/hello`, 25, key);
      expect([allowed.length, refused.length]).toEqual([20, 5]);
      const stranger = await ask(`${own.gateway}/hello`, { headers: { 'x-api-key': 'sk_nobody' } });
      expect([stranger.status, Number(stranger.headers['retry-after']) >= 1]).toEqual([503, true]);
    }, TIMEOUT_MS);

    it('R43 a gateway that starts meanwhile passes nothing unlimited, and serves as soon as the control plane is back', async () => {
      expect(await gateway.end('SIGTERM')).toBe(0);
      gateway = startProgram('gateway', env());
      await until(async () => (await through(own.gateway, '/hello')).status === 503);
      admin = startProgram('rules-admin', env());
      await until(async () => (await through(own.gateway, '/hello')).status === 200);
      expect((await through(own.gateway, '/hello')).headers['x-ratelimit-limit']).toBe('20');
    }, TIMEOUT_MS);

    it('R44 ends in 10 s with code 0 while clients hang on both of its ports', async () => {
      await halfARequest(`${own.gateway}/upload`, key);
      await halfARequest(`${own.ops}/metrics`, {});
      await sleep(200);
      const startedMs = Date.now();
      expect(await gateway.end('SIGTERM')).toBe(0);
      expect(Date.now() - startedMs).toBeLessThan(10_000);
      expect(await admin.end('SIGTERM')).toBe(0);
    }, TIMEOUT_MS);
  });

  it('an app that dies ends the stack with code 1 and its name, and nothing is left running', async () => {
    expect((await rulesApi(place.admin, 'not-the-token').get('/v1/rules')).status).toBe(401);
    const [, pid = ''] = await stack.untilSaid(/rules-admin +\| \{.*"pid":(\d+)/);
    const all = processTree(stack.pid);
    expect(all).toContain(Number(pid));
    killNow(Number(pid));
    expect(await stack.ended).toBe(1);
    expect(stack.output).toMatch(/\nrules-admin ended by SIGKILL, so the stack stops$/m);
    expect(stillRunning(all)).toEqual([]);
    expect(stillRunning([redis.pid])).toEqual([redis.pid]);
  }, TIMEOUT_MS);

  it('R44 the next one finds what was there; Ctrl-C stops gateway, decision and rules-admin in this order, with code 0', async () => {
    const { stack: next, all } = await startNext();
    expect(next.output).toMatch(/demo-free: it was there before/);
    expect((await rulesApi(place.admin, token).get('/v1/rules/free-default')).json()).toMatchObject({ limit: 20 });
    const startedMs = Date.now();
    expect(await next.end('SIGINT')).toBe(0);
    expect(Date.now() - startedMs).toBeLessThan(10_000);
    const stops = [...next.output.matchAll(/^(\S+) +\| .*"msg":"stopping"/gm)].map(([, app]) => app);
    expect(stops).toEqual(['gateway', 'decision', 'rules-admin']);
    expect(stillRunning(all)).toEqual([]);
  }, TIMEOUT_MS);

  it('a rule that an admin made in place of the seeded one is there already, and the lines to try do not name the one that is gone', async () => {
    const { stack: before } = await startNext();
    const { headers } = await api.get('/v1/rules/free-default');
    expect(before.output).toContain(`If-Match: ${headers.etag ?? ''}`);
    const authorization = `Bearer ${token}`;
    const gone = await ask(`${place.admin}/v1/rules/free-default`, { method: 'DELETE', headers: { authorization, 'if-match': headers.etag ?? '' } });
    expect(gone.status).toBe(204);
    expect((await api.put('/v1/rules/mine', freeRule(7), { 'if-none-match': '*' })).status).toBe(201);
    expect(await before.end('SIGINT')).toBe(0);
    const { stack: after } = await startNext();
    expect(after.output).not.toMatch(/rules\/free-default/);
    expect((await api.get('/v1/rules/mine')).json()).toMatchObject({ limit: 7, version: 1 });
    expect(await after.end('SIGINT')).toBe(0);
  }, TIMEOUT_MS);

  async function startNext(): Promise<{ stack: Program; all: number[] }> {
    const next = startProgram('stack', { ...place.env, ...servers(), SLUICE_ADMIN_TOKEN: token, SLUICE_LOG_LEVEL: 'info' });
    await next.untilSaid(BANNER);
    expect(next.output).not.toContain(token);
    return { stack: next, all: processTree(next.pid) };
  }
});
