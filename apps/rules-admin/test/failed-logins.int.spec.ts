import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import { Client } from 'pg';
import { pino } from 'pino';
import { createRulesAdmin } from '../src/index.js';
import { type Answer, type ControlPlane, startControlPlane, until } from './control-plane.js';

let plane: ControlPlane;
let client: Client;
let good: string;
beforeEach(async () => {
  plane = await startControlPlane();
  client = new Client(plane.databaseUrl);
  await client.connect();
  good = String((await plane.call('/v1/tokens', { method: 'POST', json: { name: 'good', role: 'viewer' } })).body['token']);
  await plane.call('/v1/plans', { token: good });
}, 60_000);
afterEach(async () => {
  await client.end();
  await plane.close();
});

const guess = (): Promise<Answer> => plane.call('/v1/plans', { token: `slu_${randomBytes(32).toString('base64url')}` });
const scans = async (): Promise<number> => {
  await client.query('SELECT pg_stat_force_next_flush()');
  const { rows } = await client.query<{ reads: string }>(`SELECT coalesce(seq_scan, 0) + coalesce(idx_scan, 0) AS reads FROM pg_stat_user_tables WHERE relname = 'admin_token'`);
  return Number(rows[0]?.reads);
};
const denials = async (reason: string): Promise<number> => {
  const { text } = await plane.call('/metrics', { token: null });
  return Number(new RegExp(`^sluice_access_denials_total\\{reason="${reason}"[^}]*\\} (\\d+)`, 'm').exec(text)?.[1]);
};

describe('R62 failed logins are limited by Sluice itself', () => {
  it('1,000 wrong tokens from one address: 10 in a minute are looked at, the rest is 429; right tokens pass all along', async () => {
    const before = await scans();
    const statuses = new Map<number, number>();
    let last: Answer | undefined;
    for (let round = 0; round < 20; round += 1) {
      const answers = await Promise.all(Array.from({ length: 50 }, guess));
      for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
      last = answers.at(-1);
      expect((await plane.call('/v1/plans', { token: good })).status).toBe(200);
      expect((await plane.call('/v1/plans')).status).toBe(200);
    }
    expect(Object.fromEntries(statuses)).toEqual({ 401: 10, 429: 990 });
    expect([last?.headers.get('content-type'), last?.body['type']]).toEqual([expect.stringContaining('application/problem+json'), 'urn:sluice:problem:too-many-failed-logins']);
    expect(Number(last?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(Number(last?.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    // Ten guesses at most, and the look of each second: two index look-ups where nothing changed.
    expect((await scans()) - before).toBeLessThan(60);
    expect([await denials('unknown_token'), await denials('throttled')]).toEqual([10, 990]);
    // A token that was issued a moment ago by this replica, and a request without any, are no guesses.
    const fresh = String((await plane.call('/v1/tokens', { method: 'POST', json: { name: 'fresh', role: 'viewer' } })).body['token']);
    expect((await plane.call('/v1/plans', { token: fresh })).status).toBe(200);
    expect((await plane.call('/v1/plans', { token: null })).status).toBe(401);
  }, 60_000);

  it('a token that another replica issued just now passes within a second, even from an address with too many failures', async () => {
    const other = await startControlPlane({ databaseUrl: plane.databaseUrl });
    for (let n = 0; n < 11; n += 1) await other.call('/v1/plans', { token: `slu_${randomBytes(32).toString('base64url')}` });
    const fresh = String((await plane.call('/v1/tokens', { method: 'POST', json: { name: 'elsewhere', role: 'viewer' } })).body['token']);
    const first = await other.call('/v1/plans', { token: fresh });
    expect(first.status === 200 || String(first.body['detail']).includes('within a second')).toBe(true);
    await until(async () => (await other.call('/v1/plans', { token: fresh })).status === 200, 5_000);
    await other.close();
  }, 30_000);

  it('whatever kind of token is guessed: a password, a JWT, what is no bearer token', async () => {
    const kinds = [{ token: 'wrong-password' }, { token: 'eyJhbGciOiJub25lIn0.e30.' }, { token: null, headers: { authorization: 'Basic eDp5' } }];
    for (let at = 0; at < 10; at += 1) expect((await plane.call('/v1/plans', kinds[at % 3])).status).toBe(401);
    for (const kind of kinds) expect((await plane.call('/v1/plans', kind)).status).toBe(429);
  });

  it('a token that was good, or reaches not so far, is no guess', async () => {
    const brief = await plane.call('/v1/tokens', { method: 'POST', json: { name: 'brief', role: 'viewer', expires_at: new Date(Date.now() + 1_000).toISOString() } });
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    for (let at = 0; at < 30; at += 1) expect((await plane.call('/v1/plans', { token: String(brief.body['token']) })).status).toBe(401);
    expect(await denials('expired_token')).toBe(30);
    for (let at = 0; at < 30; at += 1) expect((await plane.call('/v1/tokens', { token: good })).status).toBe(403);
    expect(await denials('role')).toBe(30);
    expect((await guess()).status).toBe(401);
  });

  it('each denial is in the log, with its reason and who it was, and without the token', async () => {
    const lines: string[] = [];
    const logger = pino({ level: 'info' }, new Writable({ write: (chunk, _encoding, done) => (lines.push(String(chunk)), done()) }));
    const tokens = [{ token: 'the-admin-token', loopbackOnly: false }, { token: 'the-node-token', role: 'node' as const, loopbackOnly: false }];
    const config = { databaseUrl: plane.databaseUrl, tokens, migrateOnStart: false, host: '127.0.0.1', port: 0, loginFailuresPerMinute: 1 };
    const admin = await createRulesAdmin({ config, bus: plane.bus, logger, processMetrics: false });
    const url = await admin.listen();
    for (const authorization of [undefined, 'Bearer the-wrong-token', 'Bearer the-wrong-token', 'Bearer the-node-token', 'Bearer the-admin-token']) {
      await fetch(`${url}/v1/plans/secret-plan`, { headers: authorization === undefined ? {} : { authorization } });
    }
    await admin.close();
    const denied = lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ msg }) => msg === 'request denied');
    expect(denied.map(({ reason, actor }) => [reason, actor])).toEqual([['no_token', undefined], ['unknown_token', undefined], ['throttled', undefined], ['role', 'token:environment']]);
    expect(denied[0]).toMatchObject({ ip: '127.0.0.1', method: 'GET', route: '/v1/plans/:plan_id', reqId: expect.any(String) });
    expect(lines.join('')).not.toMatch(/the-\w+-token/);
  });
});
