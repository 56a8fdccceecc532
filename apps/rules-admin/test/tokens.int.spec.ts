import { startPostgres } from '@sluice/testkit';
import { createHash } from 'node:crypto';
import { Client } from 'pg';
import { LastUses } from '../src/access/last-uses.js';
import { type Answer, type ControlPlane, startControlPlane, until } from './control-plane.js';

let plane: ControlPlane;
beforeAll(async () => {
  plane = await startControlPlane();
}, 60_000);
afterAll(() => plane.close());

const create = (json: object, token?: string): Promise<Answer> => plane.call('/v1/tokens', { method: 'POST', json, ...(token === undefined ? {} : { token }) });
const issue = async (name: string, role: string, more: object = {}): Promise<string> => String((await create({ name, role, ...more })).body['token']);
const query = async (sql: string): Promise<Record<string, unknown>[]> => {
  const client = new Client(plane.databaseUrl);
  await client.connect();
  const { rows } = await client.query(sql);
  await client.end();
  return rows;
};

describe('R62 tokens that the API issues', () => {
  it('are shown once, have 256 random bits, and are kept as a hash', async () => {
    const answer = await create({ name: 'shown', role: 'viewer' });
    const { token } = answer.body as { token: string };
    expect([answer.status, answer.etag, answer.headers.get('location'), answer.headers.get('cache-control')]).toEqual([201, '"v1"', '/v1/tokens/shown', 'no-store']);
    expect(answer.body).toEqual({ name: 'shown', role: 'viewer', tenant_id: null, token: expect.stringMatching(/^slu_[A-Za-z0-9_-]{43}$/), expires_at: null, version: 1 });
    const shown = await plane.call('/v1/tokens/shown');
    expect(shown.body).toEqual({ name: 'shown', role: 'viewer', tenant_id: null, created_at: expect.any(String), created_by: 'token:environment', last_used_at: null, expires_at: null, version: 1 });
    const hash = createHash('sha256').update(token).digest('hex');
    const everything = JSON.stringify([shown.text, (await plane.call('/v1/tokens')).text, (await plane.call('/v1/audit')).text, await query('SELECT before, after FROM audit_entry')]);
    expect(everything).not.toContain(token);
    expect(everything).not.toContain(hash);
    expect(await query(`SELECT token_sha256 FROM admin_token WHERE name = 'shown'`)).toEqual([{ token_sha256: hash }]);
    expect(JSON.stringify(await query('SELECT * FROM admin_token'))).not.toContain(token);
  });

  it('open at once by their role, and name the actor', async () => {
    const editor = await issue('by-role', 'editor');
    expect((await plane.call('/v1/plans', { token: editor })).status).toBe(200);
    expect((await plane.call('/v1/plans/of-a-token', { method: 'PUT', json: {}, ifNoneMatch: '*', token: editor })).status).toBe(201);
    expect((await create({ name: 'x', role: 'admin' }, editor)).status).toBe(403);
    expect((await plane.call('/v1/tokens/by-role', { method: 'DELETE', ifMatch: '*', token: editor })).status).toBe(403);
    expect((await query(`SELECT actor FROM config_change JOIN audit_entry USING (version) WHERE id = 'of-a-token'`))).toEqual([{ actor: 'token:by-role' }]);
    const admin = await issue('by-role-admin', 'admin');
    expect((await create({ name: 'issued-by-a-token', role: 'node' }, admin)).status).toBe(201);
    expect((await plane.call('/v1/tokens/issued-by-a-token')).body['created_by']).toBe('token:by-role-admin');
  });

  it('a node gets what a gateway needs and nothing else', async () => {
    const node = await issue('gateway', 'node');
    expect((await plane.call('/v1/snapshot', { token: node })).status).toBe(200);
    expect((await plane.call('/v1/keys:lookup', { method: 'POST', json: { key_hash: '0'.repeat(64) }, token: node })).status).toBe(404);
    for (const path of ['/v1/rules', '/v1/keys', '/v1/tokens', '/v1/audit']) expect((await plane.call(path, { token: node })).status).toBe(403);
  });

  it.each<[object, string]>([
    [{ name: 'bad', role: 'root' }, '/role'],
    [{ name: 'bad' }, '/role'],
    [{ name: 'a b', role: 'viewer' }, '/name'],
    [{ name: 'environment', role: 'viewer' }, '/name'],
    [{ name: 'bad', role: 'viewer', expires_at: '2026-01-01T00:00:00Z' }, '/expires_at'],
    [{ name: 'bad', role: 'viewer', expires_at: 'tomorrow' }, '/expires_at'],
    [{ name: 'bad', role: 'viewer', expires_at: '9999-12-31T23:59:59.999999-14:59' }, '/expires_at'],
    [{ name: 'bad', role: 'viewer', expires_at: new Date(Date.now() + 3_654 * 86_400_000).toISOString() }, '/expires_at'],
    [{ name: 'bad', role: 'viewer', expires_at: null }, '/expires_at'],
    [{ name: 'bad', role: 'viewer', token: 'slu_mine' }, '/token'],
    [{ name: 'bad', role: 'tenant' }, '/tenant_id'],
    [{ name: 'bad', role: 'tenant', tenant_id: 'nobody' }, '/tenant_id'],
    [{ name: 'bad', role: 'tenant', tenant_id: 'a b' }, '/tenant_id'],
    [{ name: 'bad', role: 'viewer', tenant_id: 'nobody' }, '/tenant_id'],
  ])('400 for %j', async (json, pointer) => {
    const answer = await create(json);
    expect([answer.status, answer.body['errors']]).toEqual([400, [{ pointer, detail: expect.any(String) }]]);
    expect((await plane.call('/v1/tokens/bad')).status).toBe(404);
  });

  it('a name is one token; 409, and the first one stays good', async () => {
    const first = await issue('unique', 'viewer');
    const second = await create({ name: 'unique', role: 'admin' });
    expect([second.status, second.body['type']]).toEqual([409, 'urn:sluice:problem:already-exists']);
    expect((await plane.call('/v1/plans', { token: first })).status).toBe(200);
  });

  it('expire by the clock of the database', async () => {
    const token = await issue('short', 'viewer', { expires_at: new Date(Date.now() + 1_500).toISOString() });
    expect((await plane.call('/v1/plans', { token })).status).toBe(200);
    await until(async () => (await plane.call('/v1/plans', { token })).status === 401, 5_000);
    expect((await plane.call('/v1/tokens/short')).status).toBe(200);
  });

  it('are paged, and neither list nor token is ever 304, since they change without a version', async () => {
    const pages: Answer[] = [await plane.call('/v1/tokens?limit=2')];
    for (let cursor = pages[0]?.body['next_cursor']; typeof cursor === 'string'; cursor = pages.at(-1)?.body['next_cursor']) {
      pages.push(await plane.call(`/v1/tokens?limit=2&cursor=${cursor}`));
    }
    const names = pages.flatMap(({ body }) => (body['tokens'] as { name: string }[]).map(({ name }) => name));
    expect(names).toEqual([...new Set(names)].sort());
    expect(names).toContain('shown');
    expect(pages[0]?.headers.get('link')).toMatch(/rel="next"/);
    const one = await plane.call('/v1/tokens/shown');
    expect((await plane.call('/v1/tokens/shown', { ifNoneMatch: one.etag ?? '' })).status).toBe(200);
  });

  it('say when they were used last, which no request waits for and no version counts', async () => {
    const token = await issue('used', 'viewer');
    const { version } = (await plane.call('/v1/tokens')).body;
    for (let at = 0; at < 20; at += 1) await plane.call('/v1/plans', { token });
    expect((await plane.call('/v1/tokens/used')).body['last_used_at']).toBeNull();
    await plane.admin.app.get(LastUses, { strict: false }).write();
    const { body, etag } = await plane.call('/v1/tokens/used');
    expect(Math.abs(Date.parse(String(body['last_used_at'])) - Date.now())).toBeLessThan(10_000);
    expect([(await plane.call('/v1/tokens')).body['version'], etag]).toEqual([version, '"v1"']);
  });
});

describe('R62 revoking a token', () => {
  it('takes If-Match, works at once, and everywhere within 5 s; its name is not given away again', async () => {
    const other = await startControlPlane({ databaseUrl: plane.databaseUrl });
    const token = await issue('revoked', 'admin');
    // Issued by one replica, good on the other at once.
    expect((await other.call('/v1/tokens', { token })).status).toBe(200);
    expect((await plane.call('/v1/tokens/revoked', { method: 'DELETE' })).status).toBe(412);
    expect((await plane.call('/v1/tokens/revoked', { method: 'DELETE', ifMatch: '"v2"' })).status).toBe(412);
    expect((await plane.call('/v1/tokens/revoked', { method: 'DELETE', ifMatch: '"v1"' })).status).toBe(204);
    const startMs = performance.now();
    expect((await plane.call('/v1/tokens', { token })).status).toBe(401);
    await until(async () => (await other.call('/v1/tokens', { token })).status === 401, 5_000);
    expect(performance.now() - startMs).toBeLessThan(5_000);
    // Who got it could have answers to the old one's submissions, and nobody could tell the two apart in the audit.
    const next = await create({ name: 'revoked', role: 'viewer' });
    expect([next.status, next.body]).toEqual([409, expect.objectContaining({ type: 'urn:sluice:problem:name-was-used', detail: expect.stringContaining('another name') })]);
    expect((await plane.call('/v1/tokens/revoked')).status).toBe(404);
    await other.close();
  }, 60_000);

  it('an admin may revoke his own and every other token; those of the environment remain', async () => {
    const token = await issue('own', 'admin');
    expect((await plane.call('/v1/tokens/own', { method: 'DELETE', ifMatch: '"v1"', token })).status).toBe(204);
    expect((await plane.call('/v1/tokens', { token })).status).toBe(401);
    expect((await plane.call('/v1/tokens')).status).toBe(200);
  });
});

describe('R62 PostgreSQL is away', () => {
  it('nodes go on, others are told so, nobody is told that a good token is bad; and it heals', async () => {
    const postgres = await startPostgres();
    const own = await startControlPlane({ databaseUrl: postgres.url });
    const made = async (name: string, role: string): Promise<string> => String((await own.call('/v1/tokens', { method: 'POST', json: { name, role } })).body['token']);
    const node = await made('node', 'node');
    const viewer = await made('viewer', 'viewer');
    expect((await own.call('/v1/snapshot', { token: node })).status).toBe(200);
    await postgres.kill();
    expect((await own.call('/v1/snapshot', { token: node })).status).toBe(200);
    expect((await own.call('/v1/snapshot', { token: viewer })).status).toBe(200);
    expect((await own.call('/v1/snapshot')).status).toBe(200);
    // One that another replica may have issued.
    for (let at = 0; at < 15; at += 1) expect((await own.call('/v1/snapshot', { token: `slu_${String(at).padStart(43, 'a')}` })).status).toBe(503);
    const unheardOf = await own.call('/v1/snapshot', { token: `slu_${'a'.repeat(43)}` });
    expect([unheardOf.status, unheardOf.body['type'], unheardOf.headers.get('retry-after')]).toEqual([503, 'urn:sluice:problem:database-unavailable', '2']);
    // From here on one might have been revoked.
    await until(async () => (await own.call('/v1/snapshot', { token: viewer })).status === 503, 15_000);
    expect((await own.call('/v1/snapshot', { token: node })).status).toBe(200);
    expect((await own.call('/v1/snapshot')).status).toBe(200);
    await postgres.restart();
    await until(async () => (await own.call('/v1/snapshot', { token: viewer })).status === 200, 30_000);
    expect((await own.call('/v1/snapshot', { token: `slu_${'a'.repeat(43)}` })).status).toBe(401);
    await own.close();
    await postgres.stop();
  }, 120_000);
});
