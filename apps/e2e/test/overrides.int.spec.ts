import { type RedisServer, sharedPostgres, startRedis, type TestDatabase } from '@sluice/testkit';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, ask } from './support/ask.js';
import { BUILD_TIMEOUT_MS, buildApps } from './support/build-apps.js';
import { burst } from './support/burst.js';
import { freePlace, type Place } from './support/free-place.js';
import { endPrograms, type Program, startProgram } from './support/program.js';
import { type RulesApi, rulesApi } from './support/rules-api.js';
import { until } from './support/until.js';

const TIMEOUT_MS = 90_000;
const ADMIN_TOKEN = 'e2e-overrides-token';
/** Around the time that a write takes. */
const KILL_AFTER_MS = [0, 8, 16, 32, 64];
const inMs = (ms: number): string => new Date(Date.now() + ms).toISOString();

describe('R50, R52 overrides, on running nodes', () => {
  let place: Place;
  let database: TestDatabase;
  let redis: RedisServer;
  let api: RulesApi;
  let favoured: Readonly<Record<string, string>>;
  let other: Readonly<Record<string, string>>;

  const create = (body: object, key: string = randomUUID()): Promise<Answer> => api.send('POST', '/v1/overrides', body, { 'idempotency-key': key });
  const limitOf = async (key: Readonly<Record<string, string>>): Promise<string> => String((await ask(`${place.gateway}/hello`, { headers: key })).headers['x-ratelimit-limit']);
  const limitAtDecision = async (key: Readonly<Record<string, string>>): Promise<string> => {
    const { limits } = (await ask(`${place.decision}/v1/limits`, { headers: key })).json() as { limits: { limit: number }[] };
    return String(limits[0]?.limit);
  };
  const everywhere = (key: Readonly<Record<string, string>>, limit: string): Promise<unknown> =>
    Promise.all([limitOf, limitAtDecision].map((read) => until(async () => (await read(key)) === limit, 10_000)));

  beforeAll(async () => {
    await buildApps();
    [place, database, redis] = await Promise.all([freePlace(), sharedPostgres(), startRedis()]);
    const stack = startProgram('stack', { ...place.env, SLUICE_DATABASE_URL: database.url, SLUICE_REDIS_URL: redis.url });
    await stack.untilSaid(/Ctrl-C stops it/);
    const [, token = ''] = await stack.untilSaid(/admin token +(\S+)/);
    const [, secret = ''] = await stack.untilSaid(/demo-free: (sk_\S+)/);
    api = rulesApi(place.admin, token);
    favoured = { 'x-api-key': secret };
    const made = await api.send('POST', '/v1/keys', { tenant_id: 'demo-free', name: 'Other', key_id: 'other' });
    other = { 'x-api-key': (made.json() as { secret: string }).secret };
  }, BUILD_TIMEOUT_MS);

  afterAll(async () => {
    await endPrograms();
    await Promise.all([redis.stop(), database.drop()]);
  }, TIMEOUT_MS);

  it('raise the limit of one key within the propagation time, leave the others, and end by themselves, at once everywhere', async () => {
    await Promise.all([everywhere(favoured, '5'), everywhere(other, '5')]);
    const startedMs = Date.now();
    const expiresAtMs = startedMs + 10_000;
    expect((await create({ key_id: 'demo-free', rule_id: 'free-default', limit: 50, expires_at: new Date(expiresAtMs).toISOString() })).status).toBe(201);
    await everywhere(favoured, '50');
    process.stdout.write(`R50: an override reached both nodes in ${Date.now() - startedMs} ms, by polling\n`);
    expect(Date.now() - startedMs).toBeLessThan(2_500);
    const { allowed } = await burst(`${place.gateway}/hello`, 30, favoured);
    expect(allowed).toHaveLength(30);
    expect(await limitAtDecision(other)).toBe('5');
    // What was asked above has to be out of the window before this one, which still weighs in.
    await sleep(Math.max(0, startedMs + 2_000 - Date.now()));
    const { allowed: some, refused } = await burst(`${place.gateway}/hello`, 12, other);
    expect([some.length, refused.length]).toEqual([5, 7]);
    expect(Date.now()).toBeLessThan(expiresAtMs);
    // No version, no poll, no push: the nodes' clocks end it.
    await sleep(expiresAtMs - Date.now() + 20);
    expect([await limitOf(favoured), await limitAtDecision(favoured)]).toEqual(['5', '5']);
  }, TIMEOUT_MS);

  it('a short one goes over a longer one, which is back afterwards; deleted, the rule is', async () => {
    const long = await create({ key_id: 'demo-free', rule_id: 'free-default', limit: 20, expires_at: inMs(60_000) });
    await everywhere(favoured, '20');
    await create({ key_id: 'demo-free', rule_id: 'free-default', limit: 80, expires_at: inMs(5_000) });
    await everywhere(favoured, '80');
    await everywhere(favoured, '20');
    expect((await api.send('DELETE', String(long.headers.location), undefined, { 'if-match': '*' })).status).toBe(204);
    await everywhere(favoured, '5');
  }, TIMEOUT_MS);

  it('R52 the control plane is killed while it creates one, again and again: repeated elsewhere under its key there is one', async () => {
    const own = await freePlace();
    const env = { ...own.env, SLUICE_DATABASE_URL: database.url, SLUICE_ADMIN_TOKEN: ADMIN_TOKEN, SLUICE_LOG_LEVEL: 'warn' };
    const elsewhere = await freePlace();
    startProgram('rules-admin', { ...env, ...elsewhere.env });
    const other = rulesApi(elsewhere.admin, ADMIN_TOKEN);
    const dying = rulesApi(own.admin, ADMIN_TOKEN);
    const seen = { before: 0, after: 0 };
    for (let round = 0; round < KILL_AFTER_MS.length; round += 1) {
      const admin: Program = startProgram('rules-admin', env);
      await Promise.all([own, elsewhere].map(({ admin: url }) => until(async () => (await ask(`${url}/readyz`)).status === 200)));
      // The first write of a process is slow; the next one is like those that follow.
      const warmUp = { key_id: 'demo-free', rule_id: 'free-default', limit: 5, expires_at: inMs(1_000) };
      expect((await dying.send('POST', '/v1/overrides', warmUp, { 'idempotency-key': randomUUID() })).status).toBe(201);
      const body = { key_id: 'other', rule_id: 'free-default', limit: 1000 + round, expires_at: inMs(600_000) };
      const headers = { 'idempotency-key': randomUUID() };
      const first = dying.send('POST', '/v1/overrides', body, headers).then(({ status }) => status, () => 'lost');
      await sleep(KILL_AFTER_MS[round] ?? 0);
      await admin.end('SIGKILL');
      await first;
      let answer = await other.send('POST', '/v1/overrides', body, headers);
      while (answer.status === 409) answer = await other.send('POST', '/v1/overrides', body, headers);
      expect(answer.status).toBe(201);
      seen[answer.headers['idempotency-replayed'] === 'true' ? 'after' : 'before'] += 1;
      const { overrides } = (await other.get('/v1/overrides?key_id=other&limit=1000')).json() as { overrides: { limit: number }[] };
      expect(overrides.filter(({ limit }) => limit === body.limit)).toHaveLength(1);
    }
    process.stdout.write(`R52: of ${KILL_AFTER_MS.length} kills ${seen.before} came before the commit and ${seen.after} after it\n`);
  }, TIMEOUT_MS);
});
