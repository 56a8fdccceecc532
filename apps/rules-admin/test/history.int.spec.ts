import { type ControlPlane, startControlPlane } from './control-plane.js';

const RULE = { plan: 'free', endpoint: '/a', limit: 1, window_seconds: 1 };

let plane: ControlPlane;
beforeAll(async () => {
  plane = await startControlPlane();
  await plane.put('/v1/plans/free', {});
  await plane.put('/v1/rules/a', RULE);
  for (let limit = 2; limit <= 4; limit += 1) await plane.put('/v1/rules/a', { ...RULE, limit }, { ifMatch: `"v${limit - 1}"` });
}, 60_000);
afterAll(() => plane.close());

interface Entry {
  readonly action: string;
  readonly from_version: number | null;
  readonly to_version: number | null;
  readonly note?: string;
}

async function history(path: string): Promise<Entry[]> {
  const { status, body } = await plane.call(`${path}/history`);
  expect(status).toBe(200);
  return body['entries'] as Entry[];
}

const rollBack = (id: string, version: number, precondition: object) => plane.call(`/v1/rules/${id}:rollback`, { method: 'POST', json: { version }, ...precondition });

describe('R60 the versions of a resource', () => {
  it('are listed, the newest first, in pages', async () => {
    expect((await history('/v1/rules/a')).map(({ to_version }) => to_version)).toEqual([4, 3, 2, 1]);
    const first = await plane.call('/v1/rules/a/history?limit=3');
    const next = await plane.call(`/v1/rules/a/history?limit=3&cursor=${String(first.body['next_cursor'])}`);
    expect([first.body['entries'], next.body['entries'], next.body['next_cursor']]).toEqual([expect.any(Array), [expect.objectContaining({ to_version: 1, action: 'created' })], null]);
  });

  it('are shown as they were', async () => {
    const shown = await plane.call('/v1/rules/a/history/2');
    expect([shown.status, shown.etag, shown.body]).toEqual([200, '"v2"', { rule_id: 'a', version: 2, ...RULE, limit: 2 }]);
    expect((await plane.call('/v1/rules/a/history/2', { ifNoneMatch: '"v2"' })).status).toBe(304);
    for (const version of ['9', '999999999999999']) expect((await plane.call(`/v1/rules/a/history/${version}`)).status).toBe(404);
    for (const version of ['0', '-1', 'x', '1.5', '9999999999999999']) expect((await plane.call(`/v1/rules/a/history/${version}`)).status).toBe(400);
  });

  it('are there for plans, tenants, keys and overrides too, and never with a secret', async () => {
    await plane.put('/v1/tenants/acme', { name: 'Acme', plan_id: 'free' });
    await plane.call('/v1/keys', { method: 'POST', json: { tenant_id: 'acme', name: 'A', key_id: 'k1' } });
    const override = await plane.call('/v1/overrides', { method: 'POST', json: { key_id: 'k1', rule_id: 'a', limit: 9, expires_at: new Date(Date.now() + 60_000).toISOString() }, headers: { 'idempotency-key': 'one' } });
    for (const path of ['/v1/plans/free', '/v1/tenants/acme', '/v1/keys/k1', `/v1/overrides/${String(override.body['override_id'])}`]) {
      expect(await history(path)).toMatchObject([{ action: 'created', to_version: 1 }]);
      const now = await plane.call(path);
      expect((await plane.call(`${path}/history/1`)).body).toEqual(now.body);
    }
    await plane.call(`/v1/overrides/${String(override.body['override_id'])}`, { method: 'DELETE', ifMatch: '*' });
  });

  it('stay when it was deleted; what never was is a 404', async () => {
    await plane.put('/v1/rules/gone', { ...RULE, endpoint: '/gone' });
    await plane.call('/v1/rules/gone', { method: 'DELETE', ifMatch: '*' });
    expect(await history('/v1/rules/gone')).toMatchObject([{ action: 'deleted', from_version: 1, to_version: null }, { action: 'created' }]);
    expect((await plane.call('/v1/rules/gone/history/1')).status).toBe(200);
    expect((await plane.call('/v1/rules/never/history')).status).toBe(404);
    expect((await plane.call('/v1/rules/a%20b/history')).status).toBe(400);
    // A plan of the same id is something else.
    expect((await plane.call('/v1/plans/gone/history')).status).toBe(404);
  });
});

describe('R60 POST /v1/rules/{rule_id}:rollback', () => {
  it('publishes the content of a version as the next one, and says so in the log', async () => {
    const answer = await rollBack('a', 2, { ifMatch: '"v4"' });
    expect([answer.status, answer.etag, answer.body]).toEqual([200, '"v5"', { rule_id: 'a', version: 5 }]);
    expect((await plane.call('/v1/rules/a')).body).toEqual({ rule_id: 'a', version: 5, ...RULE, limit: 2 });
    const [last, ...before] = await history('/v1/rules/a');
    expect(last).toMatchObject({ action: 'updated', from_version: 4, to_version: 5, note: 'rolled back to version 2' });
    expect(before.map(({ to_version, note }) => [to_version, note])).toEqual([[4, undefined], [3, undefined], [2, undefined], [1, undefined]]);
  });

  it('to what it is already changes nothing', async () => {
    const answer = await rollBack('a', 2, { ifMatch: '"v5"' });
    expect([answer.status, answer.body]).toEqual([200, { rule_id: 'a', version: 5 }]);
  });

  it('takes the version that it replaces: 412 else, nothing changed', async () => {
    for (const precondition of [{}, { ifMatch: '"v4"' }, { ifNoneMatch: '*' }]) expect((await rollBack('a', 1, precondition)).status).toBe(412);
    expect((await plane.call('/v1/rules/a')).etag).toBe('"v5"');
  });

  it('brings a deleted rule back with If-None-Match: *', async () => {
    await plane.put('/v1/rules/back', { ...RULE, endpoint: '/back', limit: 7 });
    await plane.call('/v1/rules/back', { method: 'DELETE', ifMatch: '*' });
    expect((await rollBack('back', 1, { ifMatch: '*' })).status).toBe(412);
    const answer = await rollBack('back', 1, { ifNoneMatch: '*' });
    expect([answer.status, answer.etag, answer.headers.get('location')]).toEqual([201, '"v2"', '/v1/rules/back']);
    expect((await plane.call('/v1/rules/back')).body).toMatchObject({ limit: 7, version: 2 });
  });

  it('is checked as a PUT is: a plan that is gone is a 400, a rule that matches the same by now a 409', async () => {
    await plane.put('/v1/plans/old', {});
    await plane.put('/v1/rules/moved', { ...RULE, plan: 'old', endpoint: '/moved' });
    await plane.put('/v1/rules/moved', { ...RULE, endpoint: '/moved' }, { ifMatch: '*' });
    await plane.call('/v1/plans/old', { method: 'DELETE', ifMatch: '*' });
    const unknown = await rollBack('moved', 1, { ifMatch: '*' });
    expect([unknown.status, unknown.body['errors']]).toEqual([400, [{ pointer: '/version', detail: 'version 1 cannot be published now: /plan names the unknown plan old' }]]);
    await plane.put('/v1/rules/moved', { ...RULE, endpoint: '/elsewhere' }, { ifMatch: '*' });
    await plane.put('/v1/rules/taker', { ...RULE, endpoint: '/moved' });
    const conflict = await rollBack('moved', 2, { ifMatch: '*' });
    expect([conflict.status, conflict.body['conflicting_rule_id']]).toEqual([409, 'taker']);
  });

  it('404 for a version or a rule that never was; 400 for no version, 405 for a GET', async () => {
    expect((await rollBack('a', 77, { ifMatch: '*' })).status).toBe(404);
    expect((await rollBack('never', 1, { ifMatch: '*' })).status).toBe(404);
    for (const json of [{}, { version: 0 }, { version: '1' }, { version: 1.5 }, { version: 1, more: 1 }]) expect((await plane.call('/v1/rules/a:rollback', { method: 'POST', json, ifMatch: '*' })).status).toBe(400);
    expect((await plane.call('/v1/rules/a:rollback', { method: 'PUT', json: { version: 1 }, ifMatch: '*' })).status).toBe(400);
    expect((await plane.call('/v1/rules/a:nothing', { method: 'POST', json: {}, documented: false })).status).toBe(405);
  });
});
