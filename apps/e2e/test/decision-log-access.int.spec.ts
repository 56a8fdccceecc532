import { request } from 'node:http';
import { freePort, type PostgresServer, startPostgres } from '@sluice/testkit';
import { type Answer, ask } from './support/ask.js';
import { BUILD_TIMEOUT_MS, buildApps } from './support/build-apps.js';
import { decisionEvent } from './support/decision-event.js';
import { type StoryLog, startStoryLog } from './support/decision-log.js';
import { endPrograms } from './support/program.js';
import { ADMIN_TOKEN, type RulesAdminProcess, startRulesAdmin } from './support/rules-admin.js';
import { until } from './support/until.js';

const TIMEOUT_MS = 90_000;
const NODE_TOKEN = 'node-token-of-the-story';
const PATH = '/v1/usage?by=key';

describe('R62 who may ask the decision log, by the word of a real control plane', () => {
  let postgres: PostgresServer;
  let admin: RulesAdminProcess;
  let log: StoryLog;

  /** A wrong token of the shape that the control plane issues. */
  let guesses = 0;
  const guess = (): string => {
    guesses += 1;
    return `slu_${String(guesses).padStart(43, 'g')}`;
  };
  async function issue(role: string, more: object = {}, by = admin): Promise<{ readonly name: string; readonly token: string }> {
    const name = `story-${role}-${Math.random().toString(36).slice(2)}`;
    const answer = await by.api.send('POST', '/v1/tokens', { name, role, ...more });
    if (answer.status !== 201) throw new Error(answer.text);
    return { name, token: (answer.json() as { token: string }).token };
  }
  /** From an address of its own: all of 127/8 is this machine. */
  function from(localAddress: string, token: string, path = PATH, url = log.url): Promise<{ readonly status: number; readonly type: unknown; readonly retryAfter: string | undefined }> {
    return new Promise((resolve, reject) => {
      const asked = request(`${url}${path}`, { localAddress, agent: false, headers: { authorization: `Bearer ${token}` } }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, type: (JSON.parse(text) as { type?: unknown }).type, retryAfter: response.headers['retry-after'] }));
      });
      asked.on('error', reject);
      asked.end();
    });
  }
  const get = (token: string, path = PATH): Promise<Answer> => ask(`${log.url}${path}`, { headers: { authorization: `Bearer ${token}` } });
  /** How many questions about tokens that are none have reached the control plane. */
  async function denials(): Promise<number> {
    const { text } = await ask(`${admin.url}/metrics`);
    return [...text.matchAll(/^sluice_access_denials_total\{[^}]*reason="(?:unknown_token|throttled)"[^}]*\} (\d+)$/gm)].reduce((sum, [, count]) => sum + Number(count), 0);
  }

  beforeAll(async () => {
    await buildApps();
    postgres = await startPostgres();
    admin = await startRulesAdmin(postgres.url, { SLUICE_NODE_TOKEN: NODE_TOKEN });
    expect((await admin.api.put('/v1/plans/free', {}, { 'if-none-match': '*' })).status).toBe(201);
    for (const tenant of ['acme', 'beta']) expect((await admin.api.put(`/v1/tenants/${tenant}`, { name: tenant, plan_id: 'free' }, { 'if-none-match': '*' })).status).toBe(201);
  }, BUILD_TIMEOUT_MS);

  afterAll(async () => {
    await endPrograms();
    await postgres.stop();
  }, TIMEOUT_MS);

  beforeEach(async () => {
    log = await startStoryLog(admin.url);
  });
  afterEach(() => log.close());

  it('tokens of the environment and issued ones by their role; a tenant its own; a node and a stranger nothing', async () => {
    const at_ms = Date.now() - 60_000;
    await log.store.write(['acme', 'beta'].map((tenant_id) => ({ partition: 0, event: decisionEvent({ at_ms, attributes: { key_id: `key-of-${tenant_id}`, tenant_id } }) })));
    const groups = async (token: string): Promise<unknown> => {
      const answer = await get(token);
      return answer.status === 200 ? (answer.json() as { usage: { group: string }[] }).usage.map(({ group }) => group) : answer.status;
    };
    const all = ['key-of-acme', 'key-of-beta'];
    for (const token of [ADMIN_TOKEN, (await issue('viewer')).token, (await issue('editor')).token]) expect(await groups(token)).toEqual(all);
    expect(await groups((await issue('tenant', { tenant_id: 'acme' })).token)).toEqual(['key-of-acme']);
    expect(await groups((await issue('tenant', { tenant_id: 'beta' })).token)).toEqual(['key-of-beta']);
    expect([await groups(NODE_TOKEN), await groups((await issue('node')).token), await groups(guess()), await groups('stranger')]).toEqual([403, 403, 401, 401]);
    // Ids of tenants come back one day; its tokens do not outlive one.
    expect((await admin.api.send('DELETE', '/v1/tenants/acme', undefined, { 'if-match': '*' })).status).toBe(409);
  }, TIMEOUT_MS);

  it('a revoked token opens nothing 10 s later, one that expired nothing at once', async () => {
    const revoked = await issue('viewer');
    const expiring = await issue('viewer', { expires_at: new Date(Date.now() + 3_000).toISOString() });
    expect([(await get(revoked.token)).status, (await get(expiring.token)).status]).toEqual([200, 200]);
    expect((await admin.api.send('DELETE', `/v1/tokens/${revoked.name}`, undefined, { 'if-match': '*' })).status).toBe(204);
    const startMs = performance.now();
    await until(async () => (await get(revoked.token)).status === 401, 15_000);
    expect(performance.now() - startMs).toBeLessThan(12_000);
    expect((await get(expiring.token)).status).toBe(401);
  }, TIMEOUT_MS);

  it('a flood of guesses from one address ends here: ten are asked about, and nobody else notices', async () => {
    const known = await issue('viewer');
    const fresh = await issue('viewer');
    expect((await from('127.0.0.2', known.token)).status).toBe(200);
    const before = await denials();
    const answers = [];
    for (let at = 0; at < 300; at += 1) answers.push(await from('127.0.0.2', guess()));
    expect(answers.filter(({ status }) => status !== 429).every(({ status }) => status === 401)).toBe(true);
    expect(answers.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(12);
    expect(answers.at(-1)).toEqual({ status: 429, type: 'urn:sluice:problem:too-many-failed-logins', retryAfter: expect.stringMatching(/^[1-9]\d?$/) });
    expect((await denials()) - before).toBeLessThanOrEqual(12);
    // Who was known there passes; so does anybody anywhere else.
    expect((await from('127.0.0.2', known.token)).status).toBe(200);
    expect((await from('127.0.0.3', fresh.token)).status).toBe(200);
  }, TIMEOUT_MS);

  it('that the control plane has had enough of our address locks nobody out', async () => {
    const before = await denials();
    for (let address = 10; address < 16; address += 1) for (let at = 0; at < 8; at += 1) await from(`127.0.0.${address}`, guess());
    expect((await denials()) - before).toBeGreaterThan(20);
    const refused = await from('127.0.0.20', guess());
    expect(refused).toEqual({ status: 429, type: 'urn:sluice:problem:too-many-failed-logins', retryAfter: '1' });
    // By now it refuses guesses from here unseen; what is valid passes all the same: new, of a tenant, of the environment.
    for (const { token } of [await issue('viewer'), await issue('tenant', { tenant_id: 'acme' })]) expect((await from('127.0.0.21', token)).status).toBe(200);
    expect((await from('127.0.0.21', ADMIN_TOKEN)).status).toBe(200);
    // One that another replica issued just now is not looked up for us; it is known a second later.
    const other = await startRulesAdmin(postgres.url);
    const { token } = await issue('viewer', {}, other);
    await until(async () => (await from('127.0.0.22', token)).status === 200, 6_000);
    await other.program.end('SIGTERM');
  }, TIMEOUT_MS);

  it('while the OIDC issuer is away, whoever makes up JWTs shuts out nobody but himself', async () => {
    const issuer = `http://127.0.0.1:${await freePort()}`;
    const other = await startRulesAdmin(postgres.url, { SLUICE_OIDC_ISSUER: issuer, SLUICE_OIDC_AUDIENCE: 'sluice' });
    const beside = await startStoryLog(other.url);
    const inBase64 = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
    const madeUp = (kid: number): string => `${inBase64({ alg: 'RS256', kid: `kid-${kid}` })}.${inBase64({ iss: issuer, aud: 'sluice', exp: Math.ceil(Date.now() / 1_000) + 600 })}.AAAA`;
    const statusOf = async (localAddress: string, token: string): Promise<number> => (await from(localAddress, token, PATH, beside.url)).status;
    expect((await ask(`${other.url}/v1/tokens:self`, { headers: { authorization: `Bearer ${madeUp(0)}` } })).json()).toMatchObject({ type: 'urn:sluice:problem:issuer-unavailable' });

    const statuses = [];
    for (let at = 1; at <= 15; at += 1) {
      statuses.push(await statusOf('127.0.0.30', madeUp(at)));
      // Who is new here is asked about at once, each time.
      if (at % 5 === 0) expect(await statusOf('127.0.0.31', (await issue('viewer', {}, other)).token)).toBe(200);
    }
    expect([statuses[0], statuses.at(-1)]).toEqual([503, 429]);
    await beside.close();
    await other.program.end('SIGTERM');
  }, TIMEOUT_MS);

  it('while PostgreSQL is away, and then the control plane: who was known reads on, others come again; and it heals', async () => {
    const { token } = await issue('viewer');
    const unheardOf = await issue('viewer');
    expect((await get(token)).status).toBe(200);
    await postgres.kill();
    // Longer than answers are fresh, and than the control plane believes its own list.
    await new Promise((resolve) => setTimeout(resolve, 11_000));
    expect([(await get(token)).status, (await get(unheardOf.token)).status]).toEqual([200, 503]);
    await postgres.restart();
    await until(async () => (await get(unheardOf.token)).status === 200, 30_000);

    const port = new URL(admin.url).port;
    await admin.program.end('SIGKILL');
    await new Promise((resolve) => setTimeout(resolve, 10_500));
    expect([(await get(token)).status, (await get(guess())).status]).toEqual([200, 503]);
    admin = await startRulesAdmin(postgres.url, { SLUICE_NODE_TOKEN: NODE_TOKEN, SLUICE_ADMIN_PORT: port });
    await until(async () => (await get(guess())).status === 401, 15_000);
    expect((await get(token)).status).toBe(200);
  }, TIMEOUT_MS);
});
