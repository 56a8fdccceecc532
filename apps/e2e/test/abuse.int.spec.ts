import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, type RedisServer, sharedKafka, sharedPostgres, startRedis, type TestDatabase } from '@sluice/testkit';
import { ask } from './support/ask.js';
import { BUILD_TIMEOUT_MS, buildApps } from './support/build-apps.js';
import { freePlace, type Place } from './support/free-place.js';
import { endPrograms, startProgram } from './support/program.js';
import { ADMIN_TOKEN, type RulesAdminProcess, startRulesAdmin } from './support/rules-admin.js';
import { startUpstream, type Upstream } from './support/start-upstream.js';
import { until } from './support/until.js';

const TIMEOUT_MS = 120_000;
/** So long an override lasts from the end of the window that the attack was found in, which may be the present. */
const TTL_SECONDS = 20;

const ABUSE = `
dry_run: false
every_seconds: 1
patterns:
  - { id: hammering, kind: refusals, threshold: 60, window_seconds: 10, action: apply, override: { factor: 0.1, floor: 2, ttl_seconds: ${TTL_SECONDS} } }
  - { id: cautious, kind: refusals, threshold: 60, window_seconds: 10, override: { limit: 1, floor: 1, ttl_seconds: 60 } }
  - { id: guessing, kind: unauthenticated, threshold: 15, window_seconds: 10 }
`;

interface Finding {
  readonly finding_id: string;
  readonly pattern_id: string;
  readonly subject: string;
  readonly state: string;
  readonly by: string | null;
  readonly over: boolean;
  readonly overrides: readonly { readonly key_id: string; readonly rule_id: string; readonly limit: number; readonly expires_at: string; readonly override_id: string | null }[];
}

/** A whole region, each service a process: what a gateway refuses goes through Kafka to the decision log, which finds it and has the control plane lower the limit. */
describe('R84 a scripted attack is caught, and lifted on expiry', () => {
  let database: TestDatabase;
  let redis: RedisServer;
  let upstream: Upstream;
  let admin: RulesAdminProcess;
  let gateway: Place;
  let logUrl: string;
  let folder: string;
  const secrets: Record<string, string> = {};

  beforeAll(async () => {
    await buildApps();
    folder = await mkdtemp(join(tmpdir(), 'sluice-abuse-'));
    await writeFile(join(folder, 'abuse.yaml'), ABUSE);
    let kafka;
    [database, redis, upstream, kafka] = await Promise.all([sharedPostgres(), startRedis(), startUpstream(), sharedKafka()]);
    const common = { SLUICE_KAFKA_BROKERS: kafka.brokers.join(','), SLUICE_ADMIN_TOKEN: ADMIN_TOKEN, SLUICE_LOG_LEVEL: 'warn' };
    admin = await startRulesAdmin(database.url, common);
    await created('/v1/plans/free', {});
    await created('/v1/tenants/acme', { name: 'Acme', plan_id: 'free' });
    await created('/v1/rules/per-key', { plan: 'free', limit: 30, window_seconds: 1, algorithm: 'fixed_window', consistency: 'exact' });
    for (const key_id of ['attacker', 'bystander']) {
      const answer = await admin.api.send('POST', '/v1/keys', { tenant_id: 'acme', name: key_id, key_id });
      secrets[key_id] = (answer.json() as { secret: string }).secret;
    }
    gateway = await freePlace();
    startProgram('gateway', { ...common, ...gateway.env, SLUICE_ADMIN_URL: admin.url, SLUICE_REDIS_URL: redis.url, SLUICE_UPSTREAM_URL: upstream.url, SLUICE_STREAM_ALLOWS: '1' });
    const port = await freePort();
    logUrl = `http://127.0.0.1:${port}`;
    startProgram('decision-log', { ...common, SLUICE_ADMIN_URL: admin.url, SLUICE_DECISION_LOG_PORT: String(port), SLUICE_DECISION_LOG_DIR: join(folder, 'decisions'), SLUICE_ABUSE_FILE: join(folder, 'abuse.yaml') });
    await Promise.all([`${gateway.ops}/readyz`, `${logUrl}/readyz`].map((url) => until(async () => (await ask(url)).status === 200, 60_000)));
  }, BUILD_TIMEOUT_MS);

  afterAll(async () => {
    await endPrograms();
    await Promise.all([redis.stop(), upstream.close(), database.drop(), rm(folder, { recursive: true, force: true })]);
  }, TIMEOUT_MS);

  async function created(path: string, body: object): Promise<void> {
    const { status, text } = await admin.api.put(path, body, { 'if-none-match': '*' });
    if (status !== 201) throw new Error(`${path}: ${status} ${text}`);
  }

  /** How many of a burst pass, and the limit that was said. */
  async function burstOf(key: string, count: number): Promise<{ readonly passed: number; readonly limits: readonly string[] }> {
    const answers = await Promise.all(Array.from({ length: count }, () => ask(`${gateway.gateway}/hello`, { headers: { 'x-api-key': secrets[key] ?? key } })));
    return { passed: answers.filter(({ status }) => status === 200).length, limits: [...new Set(answers.map(({ headers }) => String(headers['x-ratelimit-limit'])))] };
  }

  async function findings(pattern: string): Promise<readonly Finding[]> {
    const { status, text, json } = await ask(`${logUrl}/v1/abuse/findings?pattern_id=${pattern}`, { headers: { authorization: `Bearer ${ADMIN_TOKEN}` } });
    if (status !== 200) throw new Error(`${status} ${text}`);
    return (json() as { findings: Finding[] }).findings;
  }

  it('lowers the limit of the key that hammers, of no other, and gives it back by itself', async () => {
    for (let second = 0; second < 4; second += 1) await burstOf('attacker', 80);
    await until(async () => (await findings('hammering')).some(({ state }) => state === 'applied'), 60_000);
    const [finding] = await findings('hammering');
    expect(finding).toMatchObject({ subject: 'attacker', state: 'applied', by: 'system:abuse', overrides: [{ key_id: 'attacker', rule_id: 'per-key', limit: 3 }] });
    const [override] = finding?.overrides ?? [];
    const lived = await admin.api.get(`/v1/overrides/${override?.override_id ?? ''}`);
    expect(lived.json()).toMatchObject({ key_id: 'attacker', limit: 3, reason: expect.stringMatching(/^abuse hammering: \d+ refusals of one key in 10 s, where 60 are the mark \(fnd_/) });
    expect((await admin.api.get('/v1/audit?limit=1')).text).toContain('attacker');

    await until(async () => (await burstOf('attacker', 1)).limits[0] === '3');
    expect((await burstOf('bystander', 20)).passed).toBe(20);
    // One attack, one override, however often it is looked at.
    expect(await findings('hammering')).toHaveLength(1);

    // What was only to be proposed is there with what it would do, and nothing was done.
    expect(await findings('cautious')).toMatchObject([{ subject: 'attacker', state: 'proposed', by: null, overrides: [{ limit: 1, override_id: null }] }]);

    const endMs = Date.parse(override?.expires_at ?? '');
    await until(async () => Date.now() > endMs, (TTL_SECONDS + 15) * 1_000);
    await until(async () => (await burstOf('attacker', 1)).limits[0] === '30');
    expect((await findings('hammering'))[0]).toMatchObject({ over: true });
  }, TIMEOUT_MS);

  it('a person applies what was proposed, once, in his own name', async () => {
    const [proposed] = await findings('cautious');
    const url = `${logUrl}/v1/abuse/findings/${proposed?.finding_id ?? ''}:apply`;
    const authorization = `Bearer ${ADMIN_TOKEN}`;
    const answers = await Promise.all([1, 2, 3].map(() => ask(url, { method: 'POST', headers: { authorization } })));
    expect(answers.map(({ status }) => status).filter((status) => status === 200).length).toBeGreaterThan(0);
    const { overrides } = (await admin.api.get('/v1/overrides?key_id=attacker&live=true')).json() as { overrides: object[] };
    expect(overrides).toMatchObject([{ limit: 1, rule_id: 'per-key' }]);
    expect((await ask(url, { method: 'POST', headers: { authorization } })).status).toBe(409);
    expect((await findings('cautious'))[0]).toMatchObject({ state: 'applied', by: 'token:environment' });
  }, TIMEOUT_MS);

  it('whoever guesses keys is named by his address, and nothing can be applied', async () => {
    await burstOf('no-such-key', 40);
    await until(async () => (await findings('guessing')).length > 0, 60_000);
    expect(await findings('guessing')).toMatchObject([{ subject: '127.0.0.1', state: 'proposed', overrides: [] }]);
    const [{ finding_id }] = (await findings('guessing')) as [Finding];
    const refused = await ask(`${logUrl}/v1/abuse/findings/${finding_id}:apply`, { method: 'POST', headers: { authorization: `Bearer ${ADMIN_TOKEN}` } });
    expect([refused.status, (refused.json() as { detail: string }).detail]).toEqual([409, 'This finding has no override to apply.']);
  }, TIMEOUT_MS);
});
