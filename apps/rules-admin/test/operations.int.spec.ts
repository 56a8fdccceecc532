import { sharedPostgres, startPostgres } from '@sluice/testkit';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { databaseOptions } from '../src/database/database-options.js';
import { migrate } from '../src/database/migrate.js';
import { type ControlPlane, startControlPlane, until } from './control-plane.js';

const RULE = { limit: 5, window_seconds: 1 };

describe('migrations', () => {
  it('R50 several processes migrate at once: one does, the others find it done', async () => {
    const { url, drop } = await sharedPostgres();
    const ran = await Promise.all([migrate(url), migrate(url), migrate(url)]);
    const names = ran.flat();
    expect([names.slice(0, 2), new Set(names).size]).toEqual([['ControlPlane1764460800000', 'ChangeLog1796040000000'], names.length]);
    expect(await migrate(url)).toEqual([]);
    await drop();
  }, 60_000);

  it('the migrated schema is what the entities say', async () => {
    const { url, drop } = await sharedPostgres();
    await migrate(url);
    const source = await new DataSource(databaseOptions(url)).initialize();
    const { upQueries } = await source.driver.createSchemaBuilder().log();
    expect(upQueries.map(({ query }) => query)).toEqual([]);
    await source.destroy();
    await drop();
  }, 60_000);

  it('R50 there is an index on (plan, endpoint), and every migration can be undone', async () => {
    const { url, drop } = await sharedPostgres();
    await migrate(url);
    const source = await new DataSource(databaseOptions(url)).initialize();
    const indexes = await source.query<{ indexdef: string }[]>(`SELECT indexdef FROM pg_indexes WHERE tablename = 'rule'`);
    expect(indexes.map(({ indexdef }) => indexdef).join()).toMatch(/\(plan, endpoint\)/);
    const schema = (): Promise<unknown> => source.query(`SELECT table_name, column_name, data_type, is_nullable FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2`);
    const up = await schema();
    const names = source.migrations.map(({ name }) => name);
    for (const _name of names) await source.undoLastMigration();
    expect(await source.query(`SELECT tablename FROM pg_tables WHERE schemaname = 'public'`)).toEqual([{ tablename: 'migration' }]);
    expect(await source.query(`SELECT proname FROM pg_proc JOIN pg_namespace ON pg_namespace.oid = pronamespace WHERE nspname = 'public'`)).toEqual([]);
    // And up again, to the same.
    expect((await source.runMigrations()).map(({ name }) => name)).toEqual(names);
    expect(await schema()).toEqual(up);
    await source.destroy();
    await drop();
  }, 60_000);

  it('while another session holds the migration lock readiness says so, and a stop does not wait for it', async () => {
    const { url, drop } = await sharedPostgres();
    const holder = new Client(url);
    await holder.connect();
    // Locks are of one database: no other test is in the way.
    await holder.query('SELECT pg_advisory_lock(7588423)');
    const stopped = await startControlPlane({ databaseUrl: url }, { waitForDatabase: false });
    const waiting = await startControlPlane({ databaseUrl: url }, { waitForDatabase: false });
    await until(async () => (await stopped.call('/readyz')).text.includes('another session holds the migration lock'));
    const startMs = performance.now();
    await stopped.close();
    expect(performance.now() - startMs).toBeLessThan(5_000);
    await holder.end();
    await until(async () => (await waiting.call('/readyz')).status === 200);
    await waiting.close();
    await drop();
  }, 60_000);

  it('without SLUICE_MIGRATE_ON_START it waits, not ready, until somebody else has migrated', async () => {
    const { url, drop } = await sharedPostgres();
    const plane = await startControlPlane({ databaseUrl: url, migrateOnStart: false }, { waitForDatabase: false });
    await until(async () => (await plane.call('/readyz')).text.includes('migrations are pending'));
    expect((await plane.call('/v1/rules')).status).toBe(503);
    await migrate(url);
    await until(async () => (await plane.call('/readyz')).status === 200);
    expect((await plane.call('/v1/rules')).status).toBe(200);
    await plane.close();
    await drop();
  }, 60_000);
});

describe('seeding', () => {
  const seed = {
    plans: [{ plan_id: 'free', name: 'Free' }],
    tenants: [{ tenant_id: 'demo', name: 'Demo', plan_id: 'free' }],
    keys: [{ key_id: 'demo-free', tenant_id: 'demo', name: 'Demo', secret: 'demo-free' }],
    rules: [
      { rule_id: 'free-default', plan: 'free', limit: 5, window_seconds: 1 },
      { rule_id: 'extra', limit: 60, window_seconds: 60 },
    ],
  };

  it('R90 a second start keeps the data, the edits and the deletions', async () => {
    const { url, drop } = await sharedPostgres();
    const first = await startControlPlane({ databaseUrl: url });
    expect(await first.admin.seed(seed)).toEqual({ plans: 1, tenants: 1, keys: 1, rules: 2 });
    await first.put('/v1/rules/free-default', { plan: 'free', limit: 20, window_seconds: 1 }, { ifMatch: '"v1"' });
    await first.call('/v1/rules/extra', { method: 'DELETE', ifMatch: '*' });
    await first.call('/v1/keys/demo-free', { method: 'PATCH', json: { disabled: true }, ifMatch: '*' });
    const before = (await first.call('/v1/snapshot')).text;
    await first.close();
    const second = await startControlPlane({ databaseUrl: url });
    expect(await second.admin.seed(seed)).toEqual({ plans: 0, tenants: 0, keys: 0, rules: 0 });
    expect((await second.call('/v1/snapshot')).text).toBe(before);
    expect((await second.call('/v1/keys/demo-free')).body['disabled']).toBe(true);
    await second.close();
    await drop();
  }, 60_000);

  it('R57 leaves out a rule whose match an admin gave to another one, and adds it once that is gone', async () => {
    const plane = await startControlPlane();
    await plane.put('/v1/plans/free', {});
    await plane.put('/v1/rules/mine', { plan: 'free', endpoint: '*', limit: 50, window_seconds: 1 });
    expect(await plane.admin.seed(seed)).toEqual({ plans: 0, tenants: 1, keys: 1, rules: 1 });
    expect((await plane.call('/v1/rules')).body['rules']).toMatchObject([{ rule_id: 'extra' }, { rule_id: 'mine', limit: 50 }]);
    const before = (await plane.call('/v1/rules')).text;
    expect(await plane.admin.seed(seed)).toEqual({ plans: 0, tenants: 0, keys: 0, rules: 0 });
    expect((await plane.call('/v1/rules')).text).toBe(before);
    await plane.call('/v1/rules/mine', { method: 'DELETE', ifMatch: '*' });
    expect(await plane.admin.seed(seed)).toMatchObject({ rules: 1 });
    await plane.close();
  }, 60_000);

  it('R57 leaves out a rule whose plan an admin removed, and of two that match the same the second', async () => {
    const plane = await startControlPlane();
    await plane.admin.seed({ ...seed, tenants: [], keys: [], rules: [] });
    await plane.call('/v1/plans/free', { method: 'DELETE', ifMatch: '*' });
    const rules = [...seed.rules, { rule_id: 'twice', limit: 9, window_seconds: 1 }];
    expect(await plane.admin.seed({ ...seed, tenants: [], keys: [], rules })).toEqual({ plans: 0, tenants: 0, keys: 0, rules: 1 });
    expect((await plane.call('/v1/rules')).body['rules']).toMatchObject([{ rule_id: 'extra' }]);
    await plane.close();
  }, 60_000);

  it("R51 standalone's rule free-default is replaced with the right If-Match, its plan's default limit notwithstanding", async () => {
    const plane = await startControlPlane();
    const plans = [{ plan_id: 'free', name: 'Free', default_limit: { limit: 5, window_seconds: 1 } }];
    await plane.admin.seed({ ...seed, plans, rules: [{ rule_id: 'free-default', plan: 'free', endpoint: '*', limit: 5, window_seconds: 1 }] });
    const answer = await plane.put('/v1/rules/free-default', { plan: 'free', endpoint: '*', limit: 20, window_seconds: 1 }, { ifMatch: '"v1"' });
    expect([answer.status, answer.etag, answer.body]).toEqual([200, '"v2"', { rule_id: 'free-default', version: 2 }]);
    await plane.close();
  }, 60_000);

  it.each([
    { rule_id: 'bad', limit: 0, window_seconds: 1 },
    { rule_id: 'bad', limit: 5, window_seconds: 1, consistency: 'gossip' as const },
  ])('is all or nothing: %j', async (bad) => {
    const plane = await startControlPlane();
    await expect(plane.admin.seed({ ...seed, rules: [bad] })).rejects.toThrow();
    expect((await plane.call('/v1/plans')).body['plans']).toEqual([]);
    await plane.close();
  }, 60_000);
});

describe('R43 PostgreSQL is away', () => {
  let plane: ControlPlane;
  afterEach(() => plane.close());

  /** What nodes get is `snapshot-outage.int.spec.ts`'s to show. */
  async function expectUnavailable(): Promise<void> {
    for (const [call, mayHaveApplied] of [[() => plane.call('/v1/rules'), false], [() => plane.put('/v1/rules/x', RULE), true]] as const) {
      const started = performance.now();
      const answer = await call();
      expect([answer.status, answer.body['type'], answer.headers.get('retry-after')]).toEqual([503, 'urn:sluice:problem:database-unavailable', '2']);
      expect(answer.text.includes('may have been applied')).toBe(mayHaveApplied);
      expect(answer.text).not.toMatch(/127\.0\.0\.1|postgres|ECONN/);
      expect(performance.now() - started).toBeLessThan(14_000);
    }
    expect((await plane.call('/healthz')).status).toBe(200);
  }

  it('killed and restarted: 503 with Retry-After, /readyz says why, and it comes back by itself', async () => {
    const postgres = await startPostgres();
    plane = await startControlPlane({ databaseUrl: postgres.url });
    await plane.put('/v1/rules/kept', RULE);
    await postgres.kill();
    await expectUnavailable();
    const readyz = await plane.call('/readyz');
    expect([readyz.status, readyz.text]).toEqual([503, expect.stringContaining('the database does not answer (ECONNREFUSED)')]);
    await postgres.restart();
    await until(async () => (await plane.call('/readyz')).status === 200, 30_000);
    expect((await plane.put('/v1/rules/kept', { ...RULE, limit: 6 }, { ifMatch: '"v1"' })).status).toBe(200);
    await postgres.stop();
  }, 120_000);

  it('hanging: bounded, and the pool is good again afterwards', async () => {
    const postgres = await startPostgres();
    plane = await startControlPlane({ databaseUrl: postgres.url });
    await plane.put('/v1/rules/kept', RULE);
    postgres.pause();
    const answers = await Promise.all([plane.call('/v1/rules'), plane.put('/v1/rules/y', RULE)]);
    expect(answers.map(({ status }) => status)).toEqual([503, 503]);
    expect((await plane.call('/readyz')).status).toBe(503);
    postgres.resume();
    await until(async () => (await plane.call('/readyz')).status === 200, 30_000);
    const after = await Promise.all(Array.from({ length: 30 }, () => plane.call('/v1/rules')));
    expect(new Set(after.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await plane.put('/v1/rules/kept', { ...RULE, limit: 6 }, { ifMatch: '"v1"' })).status).toBe(200);
    await postgres.stop();
  }, 120_000);

  it('away at the start: the app starts, is not ready, and comes up with it', async () => {
    const postgres = await startPostgres();
    await postgres.kill();
    plane = await startControlPlane({ databaseUrl: postgres.url }, { waitForDatabase: false });
    await expectUnavailable();
    const poll = await plane.call('/v1/snapshot', { ifNoneMatch: '"x"' });
    expect([poll.status, poll.body['type'], poll.headers.get('retry-after')]).toEqual([503, 'urn:sluice:problem:database-unavailable', '2']);
    await postgres.restart();
    await until(async () => (await plane.call('/readyz')).status === 200, 30_000);
    expect((await plane.put('/v1/rules/kept', RULE)).status).toBe(201);
    await postgres.stop();
  }, 120_000);
});
