import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { startPostgres } from '@sluice/testkit';
import { OverrideExpiry } from '../src/overrides/override-expiry.js';
import { TombstoneLapse } from '../src/overrides/tombstone-lapse.js';
import { Sweeper } from '../src/sweeper/sweeper.js';
import { type ControlPlane, startControlPlane } from './control-plane.js';
import { createOverride, furnish, inMs, OVERRIDE, overrideIds } from './override-plane.js';

let plane: ControlPlane;
let second: ControlPlane;
let client: Client;
beforeAll(async () => {
  plane = await startControlPlane();
  second = await startControlPlane({ databaseUrl: plane.databaseUrl });
  await furnish(plane);
  client = new Client(plane.databaseUrl);
  await client.connect();
}, 60_000);
afterAll(async () => {
  await client.end();
  await second.close();
  await plane.close();
});

const expiryOf = (on: ControlPlane): OverrideExpiry => on.admin.app.get(OverrideExpiry, { strict: false });
const lapseOf = (on: ControlPlane): TombstoneLapse => on.admin.app.get(TombstoneLapse, { strict: false });
const sweeperOf = (on: ControlPlane): Sweeper => on.admin.app.get(Sweeper, { strict: false });
const rows = async (sql: string, values: readonly unknown[] = []): Promise<Record<string, unknown>[]> => (await client.query<Record<string, unknown>>(sql, [...values])).rows;

/** Overrides that expired, without a wait: the API takes none from the past. */
async function addExpired(count: number, agoMs: number): Promise<void> {
  await client.query(
    `INSERT INTO override (override_id, rule_id, key_id, "limit", expires_at, version, changed_at_version)
     SELECT 'ovr_' || left(md5(random()::text), 24), 'window', 'key-a', 5, now() - $2 * interval '1 ms', 1, (SELECT snapshot_version FROM config_version) FROM generate_series(1, $1)`,
    [count, agoMs],
  );
}

describe('R50 overrides that expired are removed some time later', () => {
  it('in one version, logged as by the system, with tombstones; live ones and those that expired just now stay', async () => {
    const live = (await createOverride(plane, OVERRIDE)).body['override_id'];
    await addExpired(3, 61 * 60_000);
    await addExpired(1, 59 * 60_000);
    const [before] = await rows('SELECT version, snapshot_version FROM config_version');
    expect(await expiryOf(plane).sweep()).toEqual({ count: 3, more: false });
    expect(await overrideIds(plane)).toHaveLength(2);
    expect(await overrideIds(plane, '&live=true')).toEqual([live]);
    const version = Number(before?.['version']) + 1;
    expect(await rows('SELECT version, snapshot_version FROM config_version')).toEqual([{ version: String(version), snapshot_version: String(version) }]);
    expect(await rows('SELECT actor, request_id, reaches_nodes FROM config_change WHERE version = $1', [version])).toEqual([{ actor: 'system:override-expiry', request_id: null, reaches_nodes: true }]);
    expect(await rows(`SELECT kind, action FROM audit_entry WHERE version = $1`, [version])).toEqual(Array(3).fill({ kind: 'override', action: 'deleted' }));
    expect(await rows(`SELECT count(*)::int AS count FROM tombstone WHERE kind = 'override' AND changed_at_version = $1`, [version])).toEqual([{ count: 3 }]);
    // And then there is nothing to do, and no version is taken.
    expect(await expiryOf(second).sweep()).toEqual({ count: 0, more: false });
    expect(await rows('SELECT version FROM config_version')).toEqual([{ version: String(version) }]);
    expect(await expiryOf(plane).sweep(0)).toEqual({ count: 1, more: false });
  });

  it('a version depends on no clock: the snapshot holds an expired override until then, whole and as changes', async () => {
    const { version } = (await plane.call('/v1/snapshot')).body;
    const id = (await createOverride(plane, { ...OVERRIDE, expires_at: inMs(150) })).body['override_id'];
    const held = await plane.call('/v1/snapshot');
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect((await plane.call('/v1/snapshot', { ifNoneMatch: held.etag ?? '' })).status).toBe(304);
    expect((await plane.call('/v1/snapshot')).text).toBe(held.text);
    expect((await plane.call(`/v1/snapshot?since=${version as number}`)).body).toMatchObject({ overrides: [{ override_id: id }], deleted_overrides: [] });
    await expiryOf(plane).sweep(0);
    expect((await plane.call(`/v1/snapshot?since=${held.body['version'] as number}`)).body).toMatchObject({ overrides: [], deleted_overrides: [id] });
  });

  it('thousands go in batches, on several replicas at once, each once', async () => {
    await addExpired(2_500, 2 * 60 * 60_000);
    const [first] = await rows(`SELECT version FROM config_version`);
    const startedMs = performance.now();
    await Promise.all([plane, second].map((on) => sweeperOf(on).round()));
    while ((await expiryOf(plane).sweep()).count > 0);
    process.stdout.write(`2,500 expired overrides were removed in ${Math.round(performance.now() - startedMs)} ms\n`);
    expect(await rows(`SELECT count(*)::int AS count FROM override WHERE expires_at < now() - interval '1 hour'`)).toEqual([{ count: 0 }]);
    const logged = await rows(`SELECT version, count(*)::int AS count FROM audit_entry WHERE version > $1 AND kind = 'override' AND action = 'deleted' GROUP BY version ORDER BY version`, [first?.['version']]);
    expect(logged.map(({ count }) => count)).toEqual([1000, 1000, 500]);
    expect((await plane.call('/metrics')).text).toMatch(/sluice_swept_total\{[^}]*chore="expired_overrides"[^}]*\} \d+/);
  }, 30_000);
});

describe('R52 records that expired are put away', () => {
  it('and only those', async () => {
    const key = randomUUID();
    await createOverride(plane, OVERRIDE, key);
    await client.query(
      `INSERT INTO idempotency_record (actor, route, key, request_sha256, status, headers, body, expires_at) SELECT 'token:x', 'POST /v1/overrides', n::text, '', 201, '{}', '{}', now() - interval '1 second' FROM generate_series(1, 2500) AS n`,
    );
    await Promise.all([plane, second].map((on) => sweeperOf(on).round()));
    expect(await rows('SELECT count(*)::int AS count FROM idempotency_record WHERE expires_at < now()')).toEqual([{ count: 0 }]);
    expect((await createOverride(plane, OVERRIDE, key)).headers.get('idempotency-replayed')).toBe('true');
  });
});

describe('R54 deletions of overrides are forgotten after a week', () => {
  it('who was away for longer gets the whole snapshot, from any replica; who was not gets the changes', async () => {
    const make = async (): Promise<string> => (await createOverride(plane, OVERRIDE)).body['override_id'] as string;
    const end = (id: string): Promise<unknown> => plane.call(`/v1/overrides/${id}`, { method: 'DELETE', ifMatch: '*' });
    const versionNow = async (): Promise<number> => (await plane.call('/v1/snapshot')).body['version'] as number;
    const kindOf = async (on: ControlPlane, since: number): Promise<string | null> => (await on.call(`/v1/snapshot?since=${since}`)).headers.get('sluice-snapshot');
    const [old, later] = [await make(), await make()];
    const atStart = await versionNow();
    await end(old);
    const afterOld = await versionNow();
    expect([await kindOf(plane, atStart), await kindOf(plane, afterOld)]).toEqual(['delta', 'delta']);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await end(later);
    expect(await lapseOf(plane).sweep()).toEqual({ count: 0, more: false });
    expect((await lapseOf(plane).sweep(500)).count).toBeGreaterThan(0);
    expect(await rows(`SELECT id FROM tombstone WHERE kind = 'override'`)).toEqual([{ id: later }]);
    expect(await rows('SELECT deletions_forgotten_version::int AS upto FROM config_version')).toEqual([{ upto: afterOld }]);
    // A replica that starts now has never seen the tombstone.
    const third = await startControlPlane({ databaseUrl: plane.databaseUrl });
    expect([await kindOf(third, atStart), await kindOf(third, afterOld)]).toEqual(['whole', 'delta']);
    await third.close();
    expect(await rows(`SELECT count(*)::int AS count FROM tombstone WHERE kind <> 'override'`)).toEqual([{ count: 0 }]);
  }, 30_000);
});

describe('R43 the sweeper while PostgreSQL is away', () => {
  it('does nothing, and goes on when it is back', async () => {
    const postgres = await startPostgres();
    const alone = await startControlPlane({ databaseUrl: postgres.url });
    await furnish(alone);
    await createOverride(alone, { ...OVERRIDE, expires_at: inMs(100) });
    await postgres.kill();
    await sweeperOf(alone).round();
    await postgres.restart();
    await expiryOf(alone).sweep(0).catch(() => undefined);
    await sweeperOf(alone).round();
    await expiryOf(alone).sweep(0);
    expect(await overrideIds(alone)).toEqual([]);
    await alone.close();
    await postgres.stop();
  }, 60_000);
});
