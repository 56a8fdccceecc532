import { type Snapshot, snapshotChecksum, validateSnapshot } from '@sluice/rules';
import { Client } from 'pg';
import { type Answer, type ControlPlane, startControlPlane } from './control-plane.js';
import { createOverride, furnish, inMs, OVERRIDE, overrideIds } from './override-plane.js';

let plane: ControlPlane;
beforeEach(async () => {
  plane = await startControlPlane();
  await furnish(plane);
}, 60_000);
afterEach(() => plane.close());

const created = async (json: object): Promise<string> => (await createOverride(plane, { ...OVERRIDE, ...json })).body['override_id'] as string;
const remove = (path: string): Promise<Answer> => plane.call(path, { method: 'DELETE', ifMatch: '*' });
const replace = (path: string, json: object): Promise<Answer> => plane.put(path, json, { ifMatch: '*' });
const expired = async (json: object): Promise<string> => {
  const id = await created({ ...json, expires_at: inMs(300) });
  await new Promise((resolve) => setTimeout(resolve, 350));
  return id;
};

/** What nodes get, which they must be able to take. */
async function snapshot(): Promise<Snapshot> {
  const answer = await plane.call('/v1/snapshot');
  const checked = validateSnapshot(answer.body);
  if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
  expect(snapshotChecksum(checked.value)).toBe(answer.headers.get('sluice-checksum'));
  return checked.value;
}

async function auditOf(version: number): Promise<unknown[]> {
  const client = new Client(plane.databaseUrl);
  await client.connect();
  const { rows } = await client.query('SELECT actor, kind, id, action, before, after FROM audit_entry JOIN config_change USING (version) WHERE version = $1 ORDER BY ordinal', [version]);
  await client.end();
  return rows as unknown[];
}

describe('R50, R56 a snapshot never holds an override that does not fit a rule in it', () => {
  it('a rule with live overrides is not deleted: 409 names them; with ?overrides=delete they go along, in one version', async () => {
    const ids = [await created({}), await created({ key_id: 'key-b' })].sort();
    const other = await created({ rule_id: 'bucket' });
    const refused = await remove('/v1/rules/window');
    expect([refused.status, refused.body['type'], refused.body['detail']]).toEqual([409, 'urn:sluice:problem:in-use', `Rule window is in use by live overrides (${ids.join(', ')}). End them first, or along with the rule by DELETE /v1/rules/window?overrides=delete; rules:apply and other changes have no such option.`]);
    const before = await snapshot();
    expect(before.rules.map(({ rule_id }) => rule_id)).toContain('window');
    expect((await plane.call('/v1/rules/window?overrides=keep', { method: 'DELETE', ifMatch: '*' })).status).toBe(400);
    expect((await plane.call('/v1/rules/window?overrides=delete', { method: 'DELETE', ifMatch: '"v9"' })).status).toBe(412);
    expect(await overrideIds(plane)).toHaveLength(3);
    expect((await plane.call('/v1/rules/window?overrides=delete', { method: 'DELETE', ifMatch: '*' })).status).toBe(204);
    const after = await snapshot();
    expect([after.version, after.overrides.map(({ override_id }) => override_id)]).toEqual([before.version + 1, [other]]);
    expect(await auditOf(after.version)).toMatchObject([...ids.map((id) => ({ kind: 'override', id, action: 'deleted', before: { override_id: id, limit: 500 }, after: null })), { kind: 'rule', id: 'window', action: 'deleted' }]);
    const { body } = await plane.call(`/v1/snapshot?since=${before.version}`);
    expect(body).toMatchObject({ deleted_rules: ['window'], deleted_overrides: expect.arrayContaining(ids) });
  });

  it('expired overrides stand in nobody\'s way: they go along', async () => {
    const id = await expired({});
    expect((await snapshot()).overrides).toMatchObject([{ override_id: id }]);
    expect((await remove('/v1/rules/window')).status).toBe(204);
    expect((await snapshot()).overrides).toEqual([]);
    expect((await plane.call(`/v1/overrides/${id}`)).status).toBe(404);
  });

  it('a rule does not get an algorithm or a window that a burst of a live override would not fit; without a burst it does', async () => {
    const id = await created({ rule_id: 'bucket', limit: 1, burst: 1000 });
    await created({ rule_id: 'bucket', key_id: 'key-b' });
    const rule = { plan: 'free', endpoint: '/bucket', limit: 10, window_seconds: 1 };
    for (const change of [{ algorithm: 'fixed_window' }, { algorithm: 'token_bucket', window_seconds: 31_622_400 }]) {
      const refused = await replace('/v1/rules/bucket', { ...rule, ...change });
      expect([refused.status, refused.body['detail']]).toEqual([409, expect.stringMatching(`^Rule bucket is in use by live overrides \\(${id}\\), whose burst must`)]);
    }
    expect((await replace('/v1/rules/bucket', { ...rule, algorithm: 'gcra' })).status).toBe(200);
    await plane.call(`/v1/overrides/${id}`, { method: 'PATCH', json: { burst: null }, ifMatch: '*' });
    expect((await replace('/v1/rules/bucket', { ...rule, algorithm: 'fixed_window' })).status).toBe(200);
    expect((await snapshot()).overrides).toHaveLength(2);
  });

  it('an expired override that the changed rule would not take goes with the change', async () => {
    const id = await expired({ rule_id: 'bucket', burst: 5 });
    expect((await replace('/v1/rules/bucket', { plan: 'free', endpoint: '/bucket', algorithm: 'fixed_window', limit: 10, window_seconds: 1 })).status).toBe(200);
    const { overrides, version } = await snapshot();
    expect(overrides).toEqual([]);
    expect(await auditOf(version)).toMatchObject([{ kind: 'rule', action: 'updated' }, { kind: 'override', id, action: 'deleted' }]);
  });

  it('a plan keeps its default limit, and stays, while live overrides of that are there', async () => {
    await plane.put('/v1/plans/solo', { default_limit: { algorithm: 'gcra', limit: 5, window_seconds: 1 } });
    const id = await created({ rule_id: 'plan:solo', burst: 50 });
    for (const refused of [await replace('/v1/plans/solo', {}), await remove('/v1/plans/solo'), await replace('/v1/plans/solo', { default_limit: { algorithm: 'fixed_window', limit: 5, window_seconds: 1 } })]) {
      expect([refused.status, refused.body['detail']]).toEqual([409, expect.stringMatching(`^The default limit of plan solo is in use by live overrides \\(${id}\\)`)]);
    }
    expect((await replace('/v1/plans/solo', { default_limit: { algorithm: 'gcra', limit: 9, window_seconds: 1 } })).status).toBe(200);
    await remove(`/v1/overrides/${id}`);
    expect((await replace('/v1/plans/solo', {})).status).toBe(200);
    expect((await remove('/v1/plans/solo')).status).toBe(204);
    await snapshot();
  });

  it('a key that is deleted takes its overrides along, live ones too', async () => {
    const ids = [await created({}), await created({ rule_id: 'bucket' })];
    const other = await created({ key_id: 'key-b' });
    expect((await remove('/v1/keys/key-a')).status).toBe(204);
    const { overrides, version } = await snapshot();
    expect(overrides.map(({ override_id }) => override_id)).toEqual([other]);
    expect(await auditOf(version)).toEqual(expect.arrayContaining(ids.map((id) => expect.objectContaining({ kind: 'override', id, action: 'deleted' }))));
  });

  it('an override and the deletion of its rule race: one of them wins, and the snapshot is sound', async () => {
    for (let round = 0; round < 20; round += 1) {
      await plane.put('/v1/rules/racing', { endpoint: '/racing', limit: 1, window_seconds: 1 });
      const [override, deletion] = await Promise.all([createOverride(plane, { ...OVERRIDE, rule_id: 'racing' }), remove('/v1/rules/racing')]);
      expect([[201, 409], [400, 204]]).toContainEqual([override.status, deletion.status]);
      await snapshot();
      await plane.call('/v1/rules/racing?overrides=delete', { method: 'DELETE', ifMatch: '*' });
    }
  }, 30_000);
});

describe('R50 a rule with 10,000 overrides', () => {
  it('is changed without a look at each, and goes with all of them in one version', async () => {
    const client = new Client(plane.databaseUrl);
    await client.connect();
    await client.query(
      `INSERT INTO override (override_id, rule_id, key_id, "limit", expires_at, version, changed_at_version)
       SELECT 'ovr_' || md5(n::text), 'window', 'key-a', 5, now() + interval '1 day', 1, 1 FROM generate_series(1, 10000) AS n`,
    );
    await client.query('ANALYZE override');
    await client.end();
    const timed = async (write: () => Promise<Answer>): Promise<{ readonly status: number; readonly ms: number }> => {
      const startedMs = performance.now();
      const { status } = await write();
      return { status, ms: Math.round(performance.now() - startedMs) };
    };
    const change = await timed(() => replace('/v1/rules/window', { plan: 'free', endpoint: '/window', algorithm: 'fixed_window', limit: 11, window_seconds: 60 }));
    const creation = await timed(() => createOverride(plane));
    const deletion = await timed(() => plane.call('/v1/rules/window?overrides=delete', { method: 'DELETE', ifMatch: '*' }));
    process.stdout.write(`R50: with 10,000 overrides a change of their rule took ${change.ms} ms, one more ${creation.ms} ms, the deletion with all of them ${deletion.ms} ms\n`);
    expect([change.status, creation.status, deletion.status]).toEqual([200, 201, 204]);
    expect([change.ms < 1_000, creation.ms < 1_000, deletion.ms < 4_500]).toEqual([true, true, true]);
    expect(await overrideIds(plane)).toEqual([]);
  }, 30_000);
});

describe('R50 the database keeps the same', () => {
  it('an override of a key that is not there cannot be committed', async () => {
    const client = new Client(plane.databaseUrl);
    await client.connect();
    const insert = `INSERT INTO override (override_id, rule_id, key_id, "limit", expires_at, version, changed_at_version) VALUES ('ovr_x', 'window', $1, $2, now(), 1, 1)`;
    await expect(client.query(insert, ['nobody', 5])).rejects.toThrow(/override_key_id_fkey/);
    await expect(client.query(insert, ['key-a', 0])).rejects.toThrow(/override_limit_is_positive/);
    await client.end();
  });
});
