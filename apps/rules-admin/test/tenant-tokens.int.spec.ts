import { sharedPostgres } from '@sluice/testkit';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { databaseOptions } from '../src/database/database-options.js';
import { migrate } from '../src/database/migrate.js';
import { type Answer, type ControlPlane, startControlPlane, until } from './control-plane.js';
import { startIssuer } from './oidc-issuer.js';

let plane: ControlPlane;
beforeAll(async () => {
  plane = await startControlPlane({ tokens: [{ token: 'admin-token', loopbackOnly: false }, { token: 'node-token', role: 'node', loopbackOnly: false }] });
  await plane.call('/v1/plans/free', { method: 'PUT', json: {}, ifNoneMatch: '*', token: 'admin-token' });
}, 60_000);
afterAll(() => plane.close());

const admin = { token: 'admin-token' };
const tenant = async (id: string): Promise<void> => {
  expect((await plane.call(`/v1/tenants/${id}`, { ...admin, method: 'PUT', json: { name: id, plan_id: 'free' }, ifNoneMatch: '*' })).status).toBe(201);
};
const issue = (json: object): Promise<Answer> => plane.call('/v1/tokens', { ...admin, method: 'POST', json });
const textOf = (answer: Answer): string => String(answer.body['token']);
const self = async (token: string): Promise<unknown> => {
  const answer = await plane.call('/v1/tokens:self', { token });
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
  return answer.body;
};

describe('R62 tokens of tenants', () => {
  it('name a tenant that exists, everywhere where a token is shown', async () => {
    await tenant('acme');
    const made = await issue({ name: 'acme-dashboard', role: 'tenant', tenant_id: 'acme' });
    expect([made.status, made.body['role'], made.body['tenant_id']]).toEqual([201, 'tenant', 'acme']);
    expect((await plane.call('/v1/tokens/acme-dashboard', admin)).body).toMatchObject({ role: 'tenant', tenant_id: 'acme' });
    expect((await plane.call('/v1/tokens', admin)).body['tokens']).toEqual([expect.objectContaining({ name: 'acme-dashboard', tenant_id: 'acme' })]);
    expect((await plane.call('/v1/audit?kind=token', admin)).text).toContain('"tenant_id":"acme"');
    expect(await self(textOf(made))).toEqual({ actor: 'token:acme-dashboard', role: 'tenant', tenant_id: 'acme', expires_at: null });
  });

  it('no other role has a tenant, and none goes without; 400, and nothing is issued', async () => {
    for (const role of ['viewer', 'editor', 'admin', 'node']) {
      const answer = await issue({ name: 'refused', role, tenant_id: 'acme' });
      expect([answer.status, answer.body['errors']]).toEqual([400, [{ pointer: '/tenant_id', detail: `is for the role tenant; a token of the role ${role} has none` }]]);
    }
    const unknown = await issue({ name: 'refused', role: 'tenant', tenant_id: 'nobody' });
    expect(unknown.body['errors']).toEqual([{ pointer: '/tenant_id', detail: 'names the unknown tenant nobody' }]);
    expect((await plane.call('/v1/tokens/refused', admin)).status).toBe(404);
  });

  it('keep their tenant: 409 names them, and it goes when they are revoked, expired ones like others', async () => {
    await tenant('leaving');
    await issue({ name: 'leaving-1', role: 'tenant', tenant_id: 'leaving' });
    await issue({ name: 'leaving-2', role: 'tenant', tenant_id: 'leaving', expires_at: new Date(Date.now() + 500).toISOString() });
    const remove = (path: string): Promise<Answer> => plane.call(path, { ...admin, method: 'DELETE', ifMatch: '*' });
    const refused = await remove('/v1/tenants/leaving');
    expect([refused.status, refused.body['type'], refused.body['detail']]).toEqual([409, 'urn:sluice:problem:in-use', expect.stringContaining('tokens (leaving-1, leaving-2)')]);
    await remove('/v1/tokens/leaving-1');
    expect((await remove('/v1/tenants/leaving')).status).toBe(409);
    await remove('/v1/tokens/leaving-2');
    expect((await remove('/v1/tenants/leaving')).status).toBe(204);
  });

  it('the issuer of JWTs gives no such role', async () => {
    const issuer = await startIssuer();
    const other = await startControlPlane({ databaseUrl: plane.databaseUrl, tokens: [{ token: 'admin-token', loopbackOnly: false }], oidc: { issuer: issuer.url, audiences: ['sluice'] } });
    const token = await issuer.token({ claims: { roles: ['tenant'], tenant_id: 'acme' } });
    expect((await other.call('/v1/tokens:self', { token })).status).toBe(403);
    await other.close();
    await issuer.close();
  });
});

describe('R62 GET /v1/tokens:self', () => {
  it('answers every valid token: issued, of the environment, of the issuer', async () => {
    const expiresAt = '2030-01-31T12:00:00.000Z';
    expect(await self(textOf(await issue({ name: 'limited', role: 'editor', expires_at: expiresAt })))).toEqual({ actor: 'token:limited', role: 'editor', tenant_id: null, expires_at: expiresAt });
    expect(await self('admin-token')).toEqual({ actor: 'token:environment', role: 'admin', tenant_id: null, expires_at: null });
    expect(await self('node-token')).toEqual({ actor: 'token:environment', role: 'node', tenant_id: null, expires_at: null });
    const issuer = await startIssuer();
    const other = await startControlPlane({ databaseUrl: plane.databaseUrl, tokens: [{ token: 'admin-token', loopbackOnly: false }], oidc: { issuer: issuer.url, audiences: ['sluice'] } });
    const exp = Math.floor(Date.now() / 1_000) + 120;
    const byJwt = await other.call('/v1/tokens:self', { token: await issuer.token({ claims: { sub: 'alice', roles: ['viewer'], exp } }) });
    expect(byJwt.body).toEqual({ actor: 'oidc:alice', role: 'viewer', tenant_id: null, expires_at: new Date(exp * 1_000).toISOString() });
    const forEver = await other.call('/v1/tokens:self', { token: await issuer.token({ claims: { sub: 'alice', roles: ['viewer'], exp: 1e15 } }) });
    expect(forEver.body).toMatchObject({ actor: 'oidc:alice', expires_at: null });
    await other.close();
    await issuer.close();
  });

  it('401 once it is revoked or has expired', async () => {
    const token = textOf(await issue({ name: 'brief', role: 'viewer' }));
    expect((await plane.call('/v1/tokens:self', { token })).status).toBe(200);
    await plane.call('/v1/tokens/brief', { ...admin, method: 'DELETE', ifMatch: '*' });
    expect((await plane.call('/v1/tokens:self', { token })).status).toBe(401);
    const short = textOf(await issue({ name: 'short', role: 'viewer', expires_at: new Date(Date.now() + 800).toISOString() }));
    await until(async () => (await plane.call('/v1/tokens:self', { token: short })).status === 401, 5_000);
  });
});

describe('R62 a process of the version before, beside this one', () => {
  it('issues tokens without the column, and reads rows that have it', async () => {
    const client = new Client(plane.databaseUrl);
    await client.connect();
    await client.query(
      `INSERT INTO admin_token (name, role, token_sha256, created_at, created_by, version, changed_at_version) VALUES ('of-before', 'viewer', $1, now(), 'token:environment', 1, 1)`,
      ['a'.repeat(64)],
    );
    const { rows } = await client.query(`SELECT name, role, token_sha256 FROM admin_token WHERE name IN ('of-before', 'acme-dashboard') ORDER BY name`);
    expect(rows).toHaveLength(2);
    await expect(client.query(`INSERT INTO admin_token (name, role, token_sha256, created_at, created_by, version, changed_at_version) VALUES ('x', 'tenant', $1, now(), '', 1, 1)`, ['b'.repeat(64)])).rejects.toThrow('admin_token_tenant');
    await expect(client.query(`DELETE FROM tenant WHERE tenant_id = 'acme'`)).rejects.toThrow('admin_token_tenant_id_fkey');
    await client.query(`DELETE FROM admin_token WHERE name = 'of-before'`);
    await client.end();
    expect((await plane.call('/v1/tokens/of-before', admin)).status).toBe(404);
  });

  it('the migration can be undone with tokens of tenants there, and done again', async () => {
    const { url, drop } = await sharedPostgres();
    await migrate(url);
    const source = await new DataSource(databaseOptions(url)).initialize();
    await source.query(`INSERT INTO plan (plan_id, version, changed_at_version) VALUES ('free', 1, 1)`);
    await source.query(`INSERT INTO tenant (tenant_id, name, plan_id, version, changed_at_version) VALUES ('acme', 'Acme', 'free', 1, 1)`);
    const insert = `INSERT INTO admin_token (name, role, tenant_id, token_sha256, created_at, created_by, version, changed_at_version) VALUES`;
    await source.query(`${insert} ('t', 'tenant', 'acme', '${'a'.repeat(64)}', now(), '', 1, 1), ('v', 'viewer', NULL, '${'b'.repeat(64)}', now(), '', 1, 1)`);
    await source.undoLastMigration();
    expect(await source.query('SELECT name FROM admin_token')).toEqual([{ name: 'v' }]);
    expect((await source.runMigrations()).map(({ name }) => name)).toEqual(['TenantTokens1796040600000']);
    expect(await source.query('SELECT name, tenant_id FROM admin_token')).toEqual([{ name: 'v', tenant_id: null }]);
    await source.destroy();
    await drop();
  }, 60_000);
});
