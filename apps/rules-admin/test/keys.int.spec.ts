import { createHash } from 'node:crypto';
import { Client } from 'pg';
import { type ControlPlane, startControlPlane } from './control-plane.js';

let plane: ControlPlane;
beforeAll(async () => {
  plane = await startControlPlane();
  await plane.put('/v1/plans/free', { name: 'Free' });
  await plane.put('/v1/plans/pro', { name: 'Pro' });
  await plane.put('/v1/tenants/acme', { name: 'Acme', plan_id: 'free' });
}, 60_000);
afterAll(() => plane.close());

const create = (json: object): ReturnType<ControlPlane['call']> => plane.call('/v1/keys', { method: 'POST', json });
const lookup = (key: string): ReturnType<ControlPlane['call']> =>
  plane.call('/v1/keys:lookup', { method: 'POST', json: { key_hash: createHash('sha256').update(key).digest('hex') } });

describe('R50 API keys are stored hashed', () => {
  it('the secret is shown once, has 256 random bits, and only its hash is kept', async () => {
    const answer = await create({ tenant_id: 'acme', name: 'Production' });
    expect(answer.status).toBe(201);
    const { key_id, secret } = answer.body as { key_id: string; secret: string };
    expect(secret).toMatch(/^sk_[A-Za-z0-9_-]{43}$/);
    expect(answer.headers.get('location')).toBe(`/v1/keys/${key_id}`);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const shown = await plane.call(`/v1/keys/${key_id}`);
    expect(shown.body).toEqual({ key_id, tenant_id: 'acme', name: 'Production', disabled: false, version: 1 });
    const listed = await plane.call('/v1/keys');
    expect(shown.text + listed.text).not.toMatch(/secret|sha256/);
    const client = new Client(plane.databaseUrl);
    await client.connect();
    const { rows } = await client.query('SELECT * FROM api_key WHERE key_id = $1', [key_id]);
    await client.end();
    expect(JSON.stringify(rows)).not.toContain(secret);
    expect(rows).toMatchObject([{ secret_sha256: createHash('sha256').update(secret).digest('hex') }]);
  });

  it('lookup by hash gives key, tenant, plan and whether it is disabled; 404 for an unknown one', async () => {
    const { key_id, secret } = (await create({ tenant_id: 'acme', name: 'Lookup', key_id: 'k-lookup' })).body as { key_id: string; secret: string };
    expect((await lookup(secret)).body).toEqual({ key_id, tenant_id: 'acme', plan: 'free', disabled: false });
    await plane.call(`/v1/keys/${key_id}`, { method: 'PATCH', json: { disabled: true }, ifMatch: '"v1"' });
    expect((await lookup(secret)).body).toMatchObject({ disabled: true });
    await plane.put('/v1/tenants/acme', { name: 'Acme', plan_id: 'pro' }, { ifMatch: '"v1"' });
    expect((await lookup(secret)).body).toMatchObject({ plan: 'pro' });
    const unknown = await lookup('sk_unknown');
    expect([unknown.status, unknown.body['type']]).toEqual([404, 'urn:sluice:problem:not-found']);
    await plane.call(`/v1/keys/${key_id}`, { method: 'DELETE', ifMatch: '"v2"' });
    expect((await lookup(secret)).status).toBe(404);
  });

  it.each([{}, { key_hash: 'x' }, { key_hash: 'A'.repeat(64) }, { key_hash: 5 }, { key_hash: ['a'.repeat(64)] }, { key: 'sk_plain' }])('lookup refuses %j', async (json) => {
    const answer = await plane.call('/v1/keys:lookup', { method: 'POST', json });
    expect(answer.status).toBe(400);
    expect(answer.text).not.toContain('sk_plain');
  });

  it('PATCH follows If-Match, leaves what is absent, and changes nothing when nothing changes', async () => {
    await create({ tenant_id: 'acme', name: 'Old', key_id: 'k-patch' });
    const patch = (json: object, ifMatch: string | null): ReturnType<ControlPlane['call']> => plane.call('/v1/keys/k-patch', { method: 'PATCH', json, ifMatch });
    expect((await patch({ name: 'New' }, null)).status).toBe(412);
    expect((await patch({ name: 'New' }, '"v2"')).status).toBe(412);
    expect((await patch({}, '"v1"')).body).toEqual({ key_id: 'k-patch', version: 1 });
    const renamed = await patch({ name: 'New' }, '"v1"');
    expect([renamed.status, renamed.etag, renamed.body]).toEqual([200, '"v2"', { key_id: 'k-patch', version: 2 }]);
    expect((await plane.call('/v1/keys/k-patch')).body).toMatchObject({ name: 'New', disabled: false });
    expect((await patch({ disabled: 'yes' }, '"v2"')).status).toBe(400);
    expect((await patch({ tenant_id: 'other' }, '"v2"')).status).toBe(400);
    expect((await plane.call('/v1/keys/none', { method: 'PATCH', json: {}, ifMatch: '*' })).status).toBe(404);
  });

  it('400 for an unknown tenant, 409 for an id that is taken', async () => {
    expect((await create({ tenant_id: 'nobody', name: 'X' })).body['errors']).toEqual([{ pointer: '/tenant_id', detail: 'names the unknown tenant nobody' }]);
    await create({ tenant_id: 'acme', name: 'X', key_id: 'k-once' });
    expect((await create({ tenant_id: 'acme', name: 'X', key_id: 'k-once' })).status).toBe(409);
    expect((await create({ tenant_id: 'acme', name: 'X', secret: 'mine' })).body['errors']).toEqual([{ pointer: '/secret', detail: expect.any(String) }]);
  });
});

describe('R50 plans and tenants', () => {
  it('are created, replaced and deleted under preconditions, as rules are', async () => {
    for (const [path, first, second] of [
      ['/v1/plans/p', { name: 'P' }, { name: 'P', default_limit: { limit: 5, window_seconds: 1 } }],
      ['/v1/tenants/t', { name: 'T', plan_id: 'free' }, { name: 'T', plan_id: 'pro' }],
    ] as const) {
      expect((await plane.put(path, first, {})).status).toBe(412);
      expect((await plane.put(path, first)).status).toBe(201);
      expect((await plane.put(path, first)).status).toBe(412);
      expect((await plane.put(path, second, { ifMatch: '"v9"' })).status).toBe(412);
      expect((await plane.put(path, second, { ifMatch: '"v1"' })).body['version']).toBe(2);
      expect((await plane.put(path, second, { ifMatch: '"v2"' })).body['version']).toBe(2);
      const shown = await plane.call(path);
      expect(shown.body).toMatchObject({ ...second, version: 2 });
      expect((await plane.call(path, { ifNoneMatch: shown.etag ?? '' })).status).toBe(304);
      expect((await plane.call(path, { method: 'DELETE', ifMatch: '"v1"' })).status).toBe(412);
      expect((await plane.call(path, { method: 'DELETE', ifMatch: '"v2"' })).status).toBe(204);
      expect((await plane.call(path)).status).toBe(404);
    }
  });

  it('409 for a plan that tenants or rules are on, and for a tenant with keys; nothing is deleted', async () => {
    await plane.put('/v1/plans/busy', {});
    await plane.put('/v1/rules/busy', { plan: 'busy', limit: 5, window_seconds: 1 });
    const byRules = await plane.call('/v1/plans/busy', { method: 'DELETE', ifMatch: '*' });
    expect([byRules.status, byRules.body['type'], byRules.body['detail']]).toEqual([409, 'urn:sluice:problem:in-use', 'Plan busy is in use by rules (busy). Give them another plan, or delete them, first.']);
    const byTenants = await plane.call('/v1/plans/pro', { method: 'DELETE', ifMatch: '*' });
    expect([byTenants.status, byTenants.body['detail']]).toEqual([409, expect.stringMatching(/by tenants \(acme.*\)\. Put them on another plan/)]);
    expect((await plane.call('/v1/tenants/acme', { method: 'DELETE', ifMatch: '*' })).status).toBe(409);
    expect((await plane.call('/v1/plans/busy')).status).toBe(200);
  });

  it('R57 a plan that is not valid, a tenant on an unknown plan', async () => {
    expect((await plane.put('/v1/plans/bad', { default_limit: { limit: 0, window_seconds: 1 } })).body['errors']).toEqual([{ pointer: '/default_limit/limit', detail: expect.any(String) }]);
    expect((await plane.put('/v1/plans/bad', { default_limit: { limit: 5, window_seconds: 1, plan: 'x' } })).body['errors']).toEqual([{ pointer: '/default_limit/plan', detail: expect.any(String) }]);
    expect((await plane.put('/v1/plans/bad', { name: '' })).status).toBe(400);
    expect((await plane.put('/v1/tenants/bad', { name: 'X', plan_id: 'platinum' })).body['errors']).toEqual([{ pointer: '/plan_id', detail: 'names the unknown plan platinum' }]);
    expect((await plane.put('/v1/tenants/bad', { name: null, plan_id: 'free' })).status).toBe(400);
  });
});
