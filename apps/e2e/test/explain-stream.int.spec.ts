import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, type RedisServer, sharedKafka, sharedPostgres, startRedis, type TestDatabase } from '@sluice/testkit';
import { type Answer, ask } from './support/ask.js';
import { BUILD_TIMEOUT_MS, buildApps } from './support/build-apps.js';
import { freePlace, type Place } from './support/free-place.js';
import { endPrograms, type Program, startProgram } from './support/program.js';
import { ADMIN_TOKEN, type RulesAdminProcess, startRulesAdmin } from './support/rules-admin.js';
import { startUpstream, type Upstream } from './support/start-upstream.js';
import { until } from './support/until.js';

const TIMEOUT_MS = 120_000;
const RULE = { plan: 'free', endpoint: 'GET /hello', limit: 10, window_seconds: 60, algorithm: 'sliding_log', consistency: 'exact' };
const LOGIN = { endpoint: 'POST /login', limit: 5, window_seconds: 1, policy: 'login', on_store_failure: 'deny', consistency: 'exact' };

interface Explanation {
  readonly found: string;
  readonly sentence: string;
  readonly notes: readonly string[];
  readonly told?: { readonly status: number; readonly retry_after_seconds: number };
  readonly decision?: { readonly at: string; readonly event_id: string };
}

/** A whole region, each service a process: what the gateway decides goes through Kafka to the decision log, which is asked why. */
describe('R82 why was this key refused at 14:02?', () => {
  let database: TestDatabase;
  let redis: RedisServer;
  let upstream: Upstream;
  let admin: RulesAdminProcess;
  let gateway: Place;
  let log: Program;
  let logEnv: Readonly<Record<string, string>>;
  let logUrl: string;
  let folder: string;
  let secret: string;

  async function write(method: 'PUT' | 'POST', path: string, body: object, headers: Readonly<Record<string, string>> = {}): Promise<Record<string, unknown>> {
    const answer = method === 'PUT' ? await admin.api.put(path, body, headers) : await admin.api.send('POST', path, body, headers);
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    return answer.json() as Record<string, unknown>;
  }
  const get = (path: string): Promise<Answer> => ask(`${gateway.gateway}${path}`, { headers: { 'x-api-key': secret } });

  async function explained(question: Readonly<Record<string, string>>): Promise<Explanation> {
    const answer = await ask(`${logUrl}/v1/decisions:explain?${new URLSearchParams(question).toString()}`, { headers: { authorization: `Bearer ${ADMIN_TOKEN}` } });
    if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
    return answer.json() as Explanation;
  }

  /** Until what was refused at that time has come through Kafka. */
  async function refusalAt(atMs: number, more: Readonly<Record<string, string>> = {}): Promise<Explanation> {
    const question = { key_id: 'k1', at: new Date(atMs).toISOString(), ...more };
    await until(async () => (await explained(question)).found === 'refusal', 60_000);
    return explained(question);
  }

  beforeAll(async () => {
    await buildApps();
    folder = await mkdtemp(join(tmpdir(), 'sluice-explain-'));
    let kafka;
    [database, redis, upstream, kafka] = await Promise.all([sharedPostgres(), startRedis(), startUpstream(), sharedKafka()]);
    const common = { SLUICE_KAFKA_BROKERS: kafka.brokers.join(','), SLUICE_ADMIN_TOKEN: ADMIN_TOKEN, SLUICE_LOG_LEVEL: 'warn' };
    admin = await startRulesAdmin(database.url, common);
    const create = { 'if-none-match': '*' };
    await write('PUT', '/v1/plans/free', {}, create);
    await write('PUT', '/v1/tenants/acme', { name: 'Acme', plan_id: 'free' }, create);
    await write('PUT', '/v1/rules/hello', RULE, create);
    await write('PUT', '/v1/rules/login', LOGIN, create);
    secret = String((await write('POST', '/v1/keys', { tenant_id: 'acme', name: 'K1', key_id: 'k1' }))['secret']);
    gateway = await freePlace();
    startProgram('gateway', { ...common, ...gateway.env, SLUICE_ADMIN_URL: admin.url, SLUICE_REDIS_URL: redis.url, SLUICE_UPSTREAM_URL: upstream.url, SLUICE_STREAM_ALLOWS: '0.5', SLUICE_SNAPSHOT_POLL: '500ms' });
    const port = await freePort();
    logUrl = `http://127.0.0.1:${port}`;
    logEnv = { ...common, SLUICE_ADMIN_URL: admin.url, SLUICE_DECISION_LOG_HOST: '127.0.0.1', SLUICE_DECISION_LOG_PORT: String(port), SLUICE_DECISION_LOG_DIR: join(folder, 'decisions') };
    log = startProgram('decision-log', logEnv);
    await Promise.all([`${gateway.ops}/readyz`, `${logUrl}/readyz`].map((url) => until(async () => (await ask(url)).status === 200, 60_000)));
  }, BUILD_TIMEOUT_MS);

  afterAll(async () => {
    await endPrograms();
    await Promise.all([redis.stop(), upstream.close(), database.drop(), rm(folder, { recursive: true, force: true })]);
  }, TIMEOUT_MS);

  it('by an override that has since expired, of a rule that has since changed', async () => {
    const expires_at = new Date(Date.now() + 8_000).toISOString();
    const { override_id } = await write('POST', '/v1/overrides', { key_id: 'k1', rule_id: 'hello', limit: 3, expires_at, reason: 'ticket 4711' }, { 'idempotency-key': randomUUID() });
    await until(async () => (await get('/hello')).headers['x-ratelimit-limit'] === '3');
    let last = await get('/hello');
    for (let at = 0; at < 5; at += 1) last = await get('/hello');
    const refusedAtMs = Date.now();
    expect([last.status, refusedAtMs < Date.parse(expires_at)]).toEqual([429, true]);

    const { version } = (await admin.api.get('/v1/rules/hello')).json() as { version: number };
    await write('PUT', '/v1/rules/hello', { ...RULE, limit: 50 }, { 'if-match': '*' });
    await until(async () => Date.now() > Date.parse(expires_at) && (await get('/hello')).headers['x-ratelimit-limit'] === '50');

    const why = await refusalAt(refusedAtMs);
    expect(why).toMatchObject({
      found: 'refusal',
      told: { status: 429, retry_after_seconds: Number(last.headers['retry-after']) },
      decision: { key_id: 'k1', app: 'gateway', source: 'store', reason: 'quota', attributes: { plan: 'free', tenant_id: 'acme', endpoint: 'GET /hello' } },
      limits: [
        {
          deciding: true,
          rule_id: 'hello',
          rule_version: version,
          limit: 3,
          remaining: 0,
          window_seconds: 60,
          rule: { state: 'changed', text: { ...RULE, version }, now: { limit: 50, version: version + 1 } },
          override: { override_id, state: 'expired', limit: 3, expires_at, ended_at: expires_at, reason: 'ticket 4711' },
          in_force_known: true,
          in_force_now: { rule_id: 'hello', rule_version: version + 1, override_id: null, limit: 50 },
        },
      ],
      control_plane_answered: true,
    });
    process.stdout.write(`R82: ${why.sentence}\n  ${why.notes.join('\n  ')}\n`);
    expect(why.sentence).toMatch(/a request to GET \/hello with your API key k1 was refused because the temporary limit of 3 requests per minute was used up; the answer said to wait \d+ seconds, until [\d:]+ UTC[^.]*\. The temporary limit ended at [\d:]+ UTC[^.]*\. Your limit is now 50 requests per minute\.$/);
    expect((await explained({ event_id: why.decision?.event_id ?? '' })).sentence).toBe(why.sentence);
  }, TIMEOUT_MS);

  it('by a rule that refuses while the counter store is away', async () => {
    await redis.pause();
    const post = (): Promise<Answer> => ask(`${gateway.gateway}/login`, { method: 'POST', headers: { 'x-api-key': secret }, body: {} });
    await until(async () => (await post()).status === 503);
    const atMs = Date.now();
    await redis.resume();
    const why = await refusalAt(atMs, { endpoint: 'POST /login' });
    expect(why).toMatchObject({ told: { status: 503, retry_after_seconds: 1 }, decision: { reason: 'store_unavailable', source: 'fallback' }, limits: [{ rule_id: 'login', rule: { state: 'unchanged', text: LOGIN } }] });
    expect(why.sentence).toMatch(/because it could not be counted at that moment, and under the limit of 5 requests per second no request is let through uncounted; .* This was a disturbance on our side, and not caused by how many requests you sent\.$/);
  }, TIMEOUT_MS);

  it('stops on a signal, keeps what it stored, and says so again', async () => {
    const at = new Date().toISOString();
    const before = await explained({ key_id: 'k1', at, window_seconds: '3600' });
    expect(await log.end('SIGTERM')).toBe(0);
    log = startProgram('decision-log', logEnv);
    await until(async () => (await ask(`${logUrl}/readyz`)).status === 200, 60_000);
    expect(await explained({ key_id: 'k1', at, window_seconds: '3600' })).toMatchObject({ decision: before.decision, sentence: before.sentence });
  }, TIMEOUT_MS);

  it('a port that is taken, a folder that another process has open, and a missing variable are said in one line', async () => {
    const taken = startProgram('decision-log', { ...logEnv, SLUICE_DECISION_LOG_DIR: join(folder, 'another') });
    expect(await taken.ended).toBe(1);
    expect(taken.output.trim()).toMatch(/^port \d+ on 127\.0\.0\.1 is taken: .*SLUICE_DECISION_LOG_PORT$/);
    const second = startProgram('decision-log', { ...logEnv, SLUICE_DECISION_LOG_PORT: '0' });
    expect(await second.ended).toBe(1);
    expect(second.output.trim().split('\n')).toHaveLength(1);
    expect(second.output).toContain(join(folder, 'decisions'));
    const { SLUICE_ADMIN_URL: _url, ...without } = logEnv;
    const lacking = startProgram('decision-log', without);
    expect(await lacking.ended).toBe(1);
    expect(lacking.output).toContain('SLUICE_ADMIN_URL is required');
  }, TIMEOUT_MS);
});
