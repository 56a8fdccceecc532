import { startRedis } from '@sluice/testkit';
import { Redis } from 'ioredis';
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from './support/ask.js';
import { BUILD_TIMEOUT_MS, buildApps } from './support/build-apps.js';
import { burst } from './support/burst.js';
import { expectLimits, expectRefusal } from './support/expect-limits.js';
import { freePlace, type Place } from './support/free-place.js';
import { halfARequest } from './support/half-a-request.js';
import { postmasterPid } from './support/postmaster.js';
import { processTree, stillRunning } from './support/process-tree.js';
import { endPrograms, type Program, startProgram } from './support/program.js';
import { freeRule, rulesApi } from './support/rules-api.js';
import { until } from './support/until.js';

const TOKEN = 'sluice-dev-admin';
const KEY = { 'x-api-key': 'demo-free' };
const BANNER = /Ctrl-C stops it/;
const TIMEOUT_MS = 60_000;

describe('R90 npm start: from a clean clone to a limited request', () => {
  let place: Place;
  let dataDir: string;
  let sluice: Program;
  let changedAtMs = 0;

  const env = (): Record<string, string> => ({ ...place.env, SLUICE_DATA_DIR: dataDir });
  const api = () => rulesApi(place.admin, TOKEN);
  const start = async (more: Readonly<Record<string, string>> = {}): Promise<Program> => {
    const program = startProgram('standalone', { ...env(), ...more });
    await program.untilSaid(BANNER);
    return program;
  };
  const asked = async (path: string): Promise<unknown> => (await ask(`${place.decisionLog}${path}`, { headers: { authorization: `Bearer ${TOKEN}` } })).json();
  const explained = async () => (await asked(`/v1/decisions:explain?key_id=demo-free&at=${new Date().toISOString()}&window_seconds=3600`)) as { found: string };
  const recorded = async () => ((await asked('/v1/usage?by=key')) as { usage: { requests: number; refused: number }[] }).usage;
  /** All that runs because Sluice does; the database is not its child. */
  const processes = (): number[] => [sluice.pid, postmasterPid(dataDir) ?? -1].flatMap(processTree);

  beforeAll(async () => {
    await buildApps();
    dataDir = mkdtempSync(join(tmpdir(), 'sluice-e2e-'));
    chmodSync(dataDir, 0o755);
    place = await freePlace();
    sluice = await start();
  }, BUILD_TIMEOUT_MS);

  afterAll(async () => {
    await endPrograms();
    rmSync(dataDir, { recursive: true, force: true });
  }, TIMEOUT_MS);

  it('says where everything is, and four lines to try', () => {
    for (const url of [place.gateway, `${place.admin}/docs`, place.decision, `${place.decisionLog}/docs`, `${place.ops}/readyz`]) expect(sluice.output).toContain(url);
    expect(sluice.output.match(/curl /g)).toHaveLength(4);
  });

  it('R70 of 8 requests at once 5 pass and 3 are refused; who waits as told is let in', async () => {
    const { allowed, refused } = await burst(`${place.gateway}/hello`, 8, KEY);
    expect([allowed.length, refused.length]).toEqual([5, 3]);
    for (const answer of [...allowed, ...refused]) expectLimits(answer, 5, 1);
    expect(allowed.map(({ headers }) => Number(headers['x-ratelimit-remaining'])).sort()).toEqual([0, 1, 2, 3, 4]);
    expect(allowed[0]?.json()).toMatchObject({ method: 'GET', url: '/hello' });
    refused.forEach(expectRefusal);
    await sleep(1000 * Math.max(...refused.map(({ headers }) => Number(headers['retry-after']))));
    expect((await ask(`${place.gateway}/hello`, { headers: KEY })).status).toBe(200);
  }, TIMEOUT_MS);

  it('R82 why it was refused can be asked at once, also after everything was stopped, by whoever may', async () => {
    await until(async () => (await explained()).found === 'refusal');
    expect(await explained()).toMatchObject({ limits: [{ rule_id: 'free-default', limit: 5 }], sentence: expect.stringMatching(/demo-free was refused because the limit of 5 requests per second was used up/) });
    const [usage] = await recorded();
    expect(usage).toMatchObject({ group: 'demo-free', sampled: false });
    expect([usage?.requests, usage?.refused].every((count) => Number(count) >= 3 && Number(count) % 1 === 0)).toBe(true);
    expect((await ask(`${place.decisionLog}/v1/usage`)).status).toBe(401);
  }, TIMEOUT_MS);

  it('R51 a change needs the If-Match of what is there: 200, else 412 and nothing changes', async () => {
    const before = await api().get('/v1/rules/free-default');
    expect(before.json()).toMatchObject({ rule_id: 'free-default', limit: 5, version: 1 });
    const tag = before.headers.etag ?? '';
    expect(tag).toMatch(/^"[^"]+"$/);
    const unconditional = await api().put('/v1/rules/free-default', freeRule(20), {});
    const changed = await api().put('/v1/rules/free-default', freeRule(20), { 'if-match': tag });
    const stale = await api().put('/v1/rules/free-default', freeRule(30), { 'if-match': tag });
    expect([unconditional.status, changed.status, stale.status]).toEqual([412, 200, 412]);
    changedAtMs = Date.now();
    expect(changed.json()).toEqual({ rule_id: 'free-default', version: 2 });
    expect(changed.headers.etag).not.toBe(tag);
    expect(unconditional.headers['content-type']).toMatch(/^application\/problem\+json/);
    expect((await api().get('/v1/rules/free-default')).json()).toMatchObject({ limit: 20, version: 2 });
  });

  it('R55 the change is in force within 2 s: a burst of 25 admits 20', async () => {
    while ((await ask(`${place.gateway}/hello`, { headers: KEY })).headers['x-ratelimit-limit'] !== '20') await sleep(50);
    expect(Date.now() - changedAtMs).toBeLessThan(2000);
    await sleep(2000); // What was asked so far has left the window by then.
    const { allowed, refused } = await burst(`${place.gateway}/hello`, 25, KEY);
    expect([allowed.length, refused.length]).toEqual([20, 5]);
    for (const answer of [...allowed, ...refused]) expectLimits(answer, 20, 1);
  }, TIMEOUT_MS);

  it('R54 the snapshot answers 304 to its own ETag', async () => {
    const snapshot = await api().get('/v1/snapshot');
    expect(snapshot.json()).toMatchObject({ rules: [{ rule_id: 'free-default', limit: 20 }], plans: [{ plan_id: 'free' }, { plan_id: 'pro' }] });
    const again = await api().get('/v1/snapshot', { 'if-none-match': snapshot.headers.etag ?? '' });
    expect([snapshot.status, again.status, again.text]).toEqual([200, 304, '']);
    expect(again.headers.etag).toBe(snapshot.headers.etag);
  });

  it.each(['x-forwarded-for', 'forwarded', 'via'])('takes the development token from nobody whom a proxy brought (%s)', async (field) => {
    expect((await api().get('/v1/rules', { [field]: '203.0.113.9' })).status).toBe(401);
    expect((await api().get('/v1/rules')).status).toBe(200);
  });

  it('R44 Ctrl-C stops all of it with code 0', async () => {
    const all = processes();
    expect(all.length).toBeGreaterThan(2);
    expect(await sluice.end('SIGINT')).toBe(0);
    expect(stillRunning(all)).toEqual([]);
    await expect(ask(`${place.gateway}/hello`)).rejects.toThrow('ECONNREFUSED');
  }, TIMEOUT_MS);

  it('a second start keeps the data; the development token opens nothing from another address', async () => {
    sluice = await start({ SLUICE_ADMIN_HOST: '0.0.0.0' });
    expect((await api().get('/v1/rules/free-default')).json()).toMatchObject({ limit: 20, version: 2 });
    expect(sluice.output).toContain(`-H 'If-Match: "v2"'`);
    const { allowed } = await burst(`${place.gateway}/hello`, 25, KEY);
    expect(allowed).toHaveLength(20);
    // Through an address of this machine that is not the loopback's, where it has one, the peer is that address.
    const others = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []).filter(({ internal, family }) => !internal && family === 'IPv4');
    for (const { address } of others.slice(0, 1)) {
      expect((await rulesApi(place.admin.replace('127.0.0.1', address), TOKEN).get('/v1/rules')).status).toBe(401);
    }
  }, TIMEOUT_MS);

  it('starts again after kill -9, on the data that it left, without the database that it left', async () => {
    const left = postmasterPid(dataDir) ?? -1;
    expect(await sluice.end('SIGKILL')).toBe('SIGKILL');
    expect(stillRunning([left])).toEqual([left]);
    sluice = await start();
    expect(stillRunning([left])).toEqual([]);
    expect((await api().get('/v1/rules/free-default')).json()).toMatchObject({ limit: 20, version: 2 });
    expect((await explained()).found).toBe('refusal');
  }, TIMEOUT_MS);

  it.each([
    ['same ports', () => env(), /port \d+ on 127\.0\.0\.1 is taken.*SLUICE_GATEWAY_PORT\n.*SLUICE_GATEWAY_OPS_PORT\n.*SLUICE_ADMIN_PORT\n.*SLUICE_DECISION_PORT/],
    ['same data, other ports', async () => ({ ...(await freePlace()).env, SLUICE_DATA_DIR: dataDir }), /runs already on the data in .*process \d+.*SLUICE_DATA_DIR/],
  ])('another start beside it (%s) is refused with a reason and harms nothing', async (_what, environment, reason) => {
    const second = startProgram('standalone', await environment());
    expect(await second.ended).toBe(1);
    expect(second.output).toMatch(reason);
    expect(second.output).not.toMatch(/^ {4}at /m);
    for (const url of [place.admin, place.ops, place.decision]) expect((await ask(`${url}/readyz`)).status).toBe(200);
    expect((await api().get('/v1/rules/free-default')).status).toBe(200);
  }, TIMEOUT_MS);

  it('R44 SIGTERM stops all of it with code 0 within 10 s, even with clients that hang in every app', async () => {
    const all = processes();
    await halfARequest(`${place.gateway}/upload`, KEY);
    await halfARequest(`${place.decision}/v1/ratelimit:check`, {});
    await halfARequest(`${place.admin}/v1/keys`, { authorization: `Bearer ${TOKEN}` });
    await sleep(200);
    const startedMs = Date.now();
    expect(await sluice.end('SIGTERM')).toBe(0);
    expect(Date.now() - startedMs).toBeLessThan(10_000);
    expect(stillRunning(all)).toEqual([]);
  }, TIMEOUT_MS);
});

describe('R90 npm start under other circumstances', () => {
  let folder: string;
  const more: string[] = [];

  beforeAll(async () => {
    await buildApps();
    folder = mkdtempSync(join(tmpdir(), 'sluice-e2e-'));
  }, BUILD_TIMEOUT_MS);

  afterAll(async () => {
    await endPrograms();
    for (const dir of [folder, ...more]) rmSync(dir, { recursive: true, force: true });
  }, TIMEOUT_MS);

  it('two at once on the same new data and ports: one runs, the other says why not', async () => {
    chmodSync(folder, 0o755);
    const place = await freePlace();
    const both = [0, 1].map(() => startProgram('standalone', { ...place.env, SLUICE_DATA_DIR: join(folder, 'two') }));
    const outcomes = await Promise.all(both.map((each) => Promise.race([each.ended, each.untilSaid(BANNER).then(() => 'runs', () => each.ended)])));
    expect(outcomes.map(String).sort()).toEqual(['1', 'runs']);
    expect(both[outcomes.indexOf(1)]?.output).toMatch(/runs already on the data|is taken/);
    expect((await rulesApi(place.admin, TOKEN).get('/v1/rules/free-default')).status).toBe(200);
    expect(await both[outcomes.indexOf('runs')]?.end('SIGTERM')).toBe(0);
  }, TIMEOUT_MS);

  it('R90 with SLUICE_REDIS_URL the counters are in that Redis and nothing else changes; the token is the configured one; a closed data folder will do', async () => {
    chmodSync(folder, 0o700); // Root's PostgreSQL runs as another user, who cannot enter.
    const [place, redis] = [await freePlace(), await startRedis()];
    const client = new Redis(redis.url);
    try {
      const env = { ...place.env, SLUICE_DATA_DIR: join(folder, 'closed'), SLUICE_REDIS_URL: redis.url, SLUICE_ADMIN_TOKEN: 'configured-token' };
      const program = startProgram('standalone', env);
      const [, kept = ''] = await program.untilSaid(/data in (.*)\/postgres\/data; counters: in Redis[^]*Ctrl-C stops it/);
      if (!kept.startsWith(folder)) more.push(kept);
      expect((await client.keys('*')).filter((name) => !name.startsWith('s{nodes}'))).toEqual([]);
      const { allowed, refused } = await burst(`${place.gateway}/hello`, 8, KEY);
      expect([allowed.length, refused.length]).toEqual([5, 3]);
      for (const answer of [...allowed, ...refused]) expectLimits(answer, 5, 1);
      refused.forEach(expectRefusal);
      const keys = (await client.keys('*')).filter((name) => !name.startsWith('s{nodes}'));
      expect(keys).toHaveLength(1);
      expect(await client.pttl(keys[0] ?? '')).toBeGreaterThan(0);

      expect((await rulesApi(place.admin, TOKEN).get('/v1/rules')).status).toBe(401);
      expect((await rulesApi(place.admin, 'configured-token').get('/v1/rules', { 'x-forwarded-for': '203.0.113.9' })).status).toBe(200);
      expect(program.output).not.toContain('configured-token');

      const all = [program.pid, postmasterPid(kept) ?? -1].flatMap(processTree);
      expect(await program.end('SIGINT')).toBe(0);
      expect(stillRunning(all)).toEqual([]);
      expect(existsSync(join(kept, 'postgres/data/PG_VERSION'))).toBe(true);
    } finally {
      client.disconnect();
      await redis.stop();
    }
  }, TIMEOUT_MS);

  it('R58 R62 takes the variables of access, and a stop hands on what was counted in shadow', async () => {
    const kept = join(folder, 'access');
    const place = await freePlace();
    const env = { ...place.env, SLUICE_DATA_DIR: kept, SLUICE_NODE_TOKEN: 'token-of-a-node', SLUICE_LOGIN_FAILURES_PER_MINUTE: '3' };
    const program = startProgram('standalone', env);
    await program.untilSaid(BANNER);
    const node = rulesApi(place.admin, 'token-of-a-node');
    expect([(await node.get('/v1/snapshot')).status, (await node.get('/v1/rules')).status]).toEqual([200, 403]);
    const guesses: number[] = [];
    for (let at = 0; at < 5; at += 1) guesses.push((await rulesApi(place.admin, `guess-number-${at}`).get('/v1/rules')).status);
    expect(guesses).toEqual([401, 401, 401, 429, 429]);
    const admin = rulesApi(place.admin, TOKEN);
    expect((await admin.put('/v1/rules/free-default/proposal', freeRule(2), { 'if-none-match': '*' })).status).toBe(201);
    const { version } = (await admin.send('POST', '/v1/explain', { attributes: {} })).json() as { version: number };
    await until(async () => (await ask(`${place.ops}/readyz`)).text.includes(`version ${version},`));
    const report = async (): Promise<unknown> => ((await admin.get('/v1/rules/free-default/shadow-report')).json() as { totals: { evaluated: number } }).totals.evaluated;
    for (let at = 0; at < 5; at += 1) await ask(`${place.gateway}/hello`, { headers: KEY });
    await sleep(1_500);
    for (let at = 0; at < 3; at += 1) await ask(`${place.gateway}/hello`, { headers: KEY });
    expect(await program.end('SIGINT')).toBe(0);
    const again = startProgram('standalone', env);
    await again.untilSaid(BANNER);
    expect(await report()).toBeGreaterThanOrEqual(8);
    expect(await again.end('SIGTERM')).toBe(0);
    const half = startProgram('standalone', { ...env, SLUICE_OIDC_ISSUER: 'https://issuer.example' });
    expect(await half.ended).toBe(1);
    expect(half.output).toContain('SLUICE_OIDC_AUDIENCE is required');
  }, 2 * TIMEOUT_MS);

  it('R44 Ctrl-C ends a start that waits for a database that is away, at once and with code 0', async () => {
    const place = await freePlace();
    const program = startProgram('standalone', { ...place.env, SLUICE_DATA_DIR: join(folder, 'waits'), SLUICE_DATABASE_URL: 'postgres://x@127.0.0.1:6/y', SLUICE_SNAPSHOT_FILE: join(folder, 'snapshot.json'), SLUICE_STREAM: 'off', SLUICE_ABUSE_FILE: join(folder, 'abuse.yaml') });
    await program.untilSaid(/SLUICE_SNAPSHOT_FILE is not used here[^]*SLUICE_ABUSE_FILE is not used here[^]*database not ready/);
    const startedMs = Date.now();
    expect(await program.end('SIGINT')).toBe(0);
    expect(Date.now() - startedMs).toBeLessThan(2_000);
  }, TIMEOUT_MS);

  it.each<[string, (env: Place['env']) => Record<string, string>, RegExp]>([
    ['two equal ports', ({ SLUICE_ADMIN_PORT }) => ({ SLUICE_GATEWAY_PORT: SLUICE_ADMIN_PORT ?? '' }), /SLUICE_GATEWAY_PORT and SLUICE_ADMIN_PORT both say port/],
    ['data in a file', () => ({ SLUICE_DATA_DIR: import.meta.filename }), /is not a folder.*SLUICE_DATA_DIR/],
    ['data below /proc', () => ({ SLUICE_DATA_DIR: '/proc/sluice/data' }), /cannot be kept in \/proc.*SLUICE_DATA_DIR/],
  ])('%s: the start ends with a reason and no stack', async (_what, wrong, reason) => {
    const { env } = await freePlace();
    const program = startProgram('standalone', { ...env, ...wrong(env) });
    expect(await program.ended).toBe(1);
    expect(program.output).toMatch(reason);
    expect(program.output).not.toMatch(/^ {4}at /m);
  }, TIMEOUT_MS);

  it('variables that are unknown or malformed stop the start, all named at once', async () => {
    const faults = { SLUICE_GATEWAY_PROT: '8080', SLUICE_GATEWAY_PORT: '80a', SLUICE_SNAPSHOT_POLL: '5', SLUICE_REDIS_URL: 'http://127.0.0.1', SLUICE_DATABASE_URL: '' };
    const program = startProgram('standalone', { ...faults, SLUICE_DATA_DIR: join(folder, 'never') });
    expect(await program.ended).toBe(1);
    for (const name of Object.keys(faults)) expect(program.output).toContain(name);
    expect(program.output).toContain('did you mean SLUICE_GATEWAY_PORT?');
    expect(program.output).not.toMatch(/^ {4}at /m);
  }, TIMEOUT_MS);
});
