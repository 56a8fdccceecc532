import { sharedPostgres } from '@sluice/testkit';
import { DataSource } from 'typeorm';
import { databaseOptions } from '../src/database/database-options.js';
import { migrate } from '../src/database/migrate.js';
import { ControlPlane1764460800000 } from '../src/database/migrations/1764460800000-control-plane.js';
import { ChangeLog1796040000000 } from '../src/database/migrations/1796040000000-change-log.js';
import { Sweeper } from '../src/sweeper/sweeper.js';
import { startControlPlane } from './control-plane.js';

const HASH = 'a'.repeat(64);

/** A database as the version before leaves it, with a version that nodes did not need. */
async function databaseOfTheVersionBefore(url: string): Promise<DataSource> {
  const source = await new DataSource({ ...databaseOptions(url), entities: [], migrations: [ControlPlane1764460800000] } as ConstructorParameters<typeof DataSource>[0]).initialize();
  await source.runMigrations();
  await source.query(`INSERT INTO plan VALUES ('free', 'Free', '{"limit": 60, "window_seconds": 60}', 1, 1), ('bare', NULL, NULL, 2, 2)`);
  await source.query(`INSERT INTO tenant VALUES ('acme', 'Acme', 'free', 1, 3)`);
  await source.query(`INSERT INTO rule VALUES ('a', 'free', 'GET /a', '{"limit": 5, "window_seconds": 1}', 4, 4), ('any', NULL, NULL, '{"limit": 9, "window_seconds": 1, "mode": "shadow"}', 1, 5)`);
  await source.query(`INSERT INTO tombstone VALUES ('rule', 'gone', 3, 6)`);
  await source.query(`INSERT INTO api_key VALUES ('k1', 'acme', 'K', '${HASH}', false, 1, 7)`);
  await source.query(`UPDATE config_version SET version = 7, snapshot_version = 6`);
  return source;
}

describe('R60 the log of a database that was there before it', () => {
  it('begins with what is there; the snapshot stays as it is; the migration can be undone and done again', async () => {
    const { url, drop } = await sharedPostgres();
    const before = await databaseOfTheVersionBefore(url);
    for (let round = 0; round < 2; round += 1) {
      await migrate(url);
      const plane = await startControlPlane({ databaseUrl: url });
      const { entries } = (await plane.call('/v1/audit')).body as { entries: { kind: string; id: string; action: string; to_version: number; actor: string; after: object; at: string }[] };
      expect(entries.map(({ kind, id, action, to_version, actor }) => `${kind} ${id} ${action} ${to_version} ${actor}`).sort()).toEqual([
        'key k1 baseline 1 system:migration',
        'plan bare baseline 2 system:migration',
        'plan free baseline 1 system:migration',
        'rule a baseline 4 system:migration',
        'rule any baseline 1 system:migration',
        'tenant acme baseline 1 system:migration',
      ]);
      // As the API shows them: a GET is the judge.
      for (const { kind, id, after } of entries) expect(after).toEqual((await plane.call(`/v1/${kind}s/${id}`)).body);
      expect(JSON.stringify(entries)).not.toContain(HASH);
      const present = await plane.call('/v1/snapshot');
      expect(present.body).toMatchObject({ version: 6, rules: [{ rule_id: 'a', version: 4 }, { rule_id: 'any' }] });
      const past = await plane.call(`/v1/snapshot?at=${entries[0]?.at ?? ''}`);
      expect([past.text, past.headers.get('sluice-checksum')]).toEqual([present.text, present.headers.get('sluice-checksum')]);
      // Of the one that was gone before only that is known.
      expect((await plane.call('/v1/rules/gone/history')).body['entries']).toEqual([]);
      expect((await plane.put('/v1/rules/a', { plan: 'free', endpoint: 'GET /a', limit: 6, window_seconds: 1 }, { ifMatch: '"v4"' })).etag).toBe('"v5"');
      await plane.call('/v1/rules/a:rollback', { method: 'POST', json: { version: 4 }, ifMatch: '"v5"' });
      await plane.close();
      const undone = await new DataSource(databaseOptions(url, { patient: true })).initialize();
      while ((await undone.query<{ name: string }[]>('SELECT name FROM migration ORDER BY id DESC LIMIT 1'))[0]?.name !== 'ControlPlane1764460800000') await undone.undoLastMigration();
      await undone.query(`UPDATE config_version SET version = 7, snapshot_version = 6`);
      await undone.query(`UPDATE rule SET version = 4, changed_at_version = 4 WHERE rule_id = 'a'`);
      await undone.destroy();
    }
    await before.destroy();
    await drop();
  }, 90_000);

  it('a database without anything has a log that begins when it was made', async () => {
    const { url, drop } = await sharedPostgres();
    const source = await new DataSource({ ...databaseOptions(url), entities: [], migrations: [ControlPlane1764460800000, ChangeLog1796040000000] } as ConstructorParameters<typeof DataSource>[0]).initialize();
    await source.runMigrations();
    expect(await source.query('SELECT version, actor, reaches_nodes FROM config_change')).toEqual([{ version: '0', actor: 'system:migration', reaches_nodes: true }]);
    await source.destroy();
    await drop();
  }, 60_000);
});

describe('R60 a process of the version before writes beside this one', () => {
  it('its changes come into the log with the next look, as what was found', async () => {
    const plane = await startControlPlane();
    await plane.put('/v1/plans/free', {});
    for (const id of ['a', 'b', 'c']) await plane.put(`/v1/rules/${id}`, { endpoint: `/${id}`, limit: 5, window_seconds: 1 });
    const database = plane.admin.app.get(DataSource);
    // What that process does, in its own transactions, without a log.
    await database.query(`BEGIN; UPDATE rule SET definition = '{"limit": 77, "window_seconds": 1}', version = 2, changed_at_version = 5 WHERE rule_id = 'a'; UPDATE config_version SET version = 5, snapshot_version = 5; COMMIT`);
    await database.query(`BEGIN; DELETE FROM rule WHERE rule_id = 'b'; INSERT INTO tombstone VALUES ('rule', 'b', 1, 6); UPDATE config_version SET version = 6, snapshot_version = 6; COMMIT`);
    await database.query(`BEGIN; INSERT INTO tenant VALUES ('acme', 'Acme', 'free', 1, 7); UPDATE config_version SET version = 7; COMMIT`);
    await plane.put('/v1/rules/c', { endpoint: '/c', limit: 6, window_seconds: 1 }, { ifMatch: '*' });
    await database.query(`BEGIN; INSERT INTO rule VALUES ('d', NULL, '/d', '{"limit": 1, "window_seconds": 1}', 1, 9); UPDATE config_version SET version = 9, snapshot_version = 9; COMMIT`);

    const sweeper = plane.admin.app.get(Sweeper, { strict: false });
    await sweeper.round();
    const { entries, version } = (await plane.call('/v1/audit')).body as { entries: Record<string, unknown>[]; version: number };
    expect(version).toBe(10);
    const found = entries.filter((entry) => entry['version'] === 10);
    expect(found.map(({ kind, id, action, from_version, to_version }) => `${kind} ${id} ${action} ${from_version}>${to_version}`).sort()).toEqual(['rule a baseline null>2', 'rule b deleted 1>null', 'rule d baseline null>1', 'tenant acme baseline null>1']);
    for (const entry of found) expect(entry).toMatchObject({ actor: 'system:log-keeper', note: 'found to have changed without a log', request_id: null });
    const present = await plane.call('/v1/snapshot');
    expect(present.body['version']).toBe(9);
    expect((await plane.call(`/v1/snapshot?at=${String(found[0]?.['at'])}`)).text).toBe(present.text);
    // No news, no version.
    await sweeper.round();
    await plane.put('/v1/rules/c', { endpoint: '/c', limit: 7, window_seconds: 1 }, { ifMatch: '*' });
    await sweeper.round();
    expect((await plane.call('/v1/audit?limit=1')).body).toMatchObject({ version: 11, entries: [{ version: 11, id: 'c' }] });
    await plane.close();
  }, 60_000);
});
