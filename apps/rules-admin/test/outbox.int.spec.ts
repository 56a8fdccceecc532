import { TOPICS } from '@sluice/events';
import { type EventBus, InProcessBus, KafkaBus } from '@sluice/platform';
import { freePort, sharedPostgres, startPostgres, type TestDatabase } from '@sluice/testkit';
import { Client } from 'pg';
import { pino } from 'pino';
import { Outbox } from '../src/outbox/outbox.js';
import { type ControlPlane, startControlPlane, until } from './control-plane.js';

/** What a bus without a broker takes until it gives a message up; it is the default. */
const BOUND_MS = 2_000;
const RULE = { limit: 5, window_seconds: 1 };
const ruleFor = (id: string): object => ({ ...RULE, endpoint: `/${id}` });

/** The versions that a bus brings, in order. */
function versionsOn(bus: EventBus): number[] {
  const versions: number[] = [];
  bus.subscribe(TOPICS.config, 'broadcast', ({ value }) => void versions.push((JSON.parse(value.toString()) as { version: number }).version));
  return versions;
}

describe('R55 the outbox', () => {
  let database: TestDatabase;
  let sql: Client;
  let planes: ControlPlane[];

  beforeEach(async () => {
    database = await sharedPostgres();
    planes = [];
    sql = new Client({ connectionString: database.url });
    await sql.connect();
  }, 60_000);
  afterEach(async () => {
    await Promise.all(planes.map((plane) => plane.close()));
    await sql.end();
    await database.drop();
  }, 60_000);

  async function start(bus?: EventBus): Promise<ControlPlane> {
    const plane = await startControlPlane({ databaseUrl: database.url }, bus === undefined ? {} : { bus });
    planes.push(plane);
    return plane;
  }
  /** A bus whose broker is not there: what it is given it drops, after a while. */
  async function nobody(): Promise<EventBus> {
    return new KafkaBus({ brokers: [`127.0.0.1:${await freePort()}`], clientId: 'outbox-test', logger: pino({ level: 'silent' }), publishBoundMs: BOUND_MS });
  }
  const numbers = async (query: string): Promise<number[]> => (await sql.query<{ n: string }>(query)).rows.map(({ n }) => Number(n));
  const waiting = (): Promise<number[]> => numbers('SELECT version AS n FROM outbox ORDER BY version');
  const empty = (): Promise<void> => until(async () => (await waiting()).length === 0);
  const committed = async (): Promise<number> => (await numbers('SELECT version AS n FROM config_version'))[0] ?? 0;
  const metric = async ({ call }: ControlPlane, name: string): Promise<number | undefined> => {
    const line = (await call('/metrics')).text.split('\n').find((each) => each.startsWith(`${name} `) || each.startsWith(`${name}{`));
    return line === undefined ? undefined : Number(line.split(' ').at(-1));
  };

  it('tells each change that nodes have to know, and no other, and is empty then', async () => {
    const plane = await start();
    const told = versionsOn(plane.bus);
    await plane.put('/v1/plans/free', {});
    await empty();
    await plane.put('/v1/rules/a', ruleFor('a'));
    await until(() => told.includes(2));
    await plane.put('/v1/tenants/acme', { name: 'Acme', plan_id: 'free' });
    expect((await plane.put('/v1/rules/b', { ...RULE, limit: 0 })).status).toBe(400);
    expect((await plane.put('/v1/rules/a', ruleFor('a'), { ifMatch: '*' })).status).toBe(200);
    await empty();
    await plane.call('/v1/rules/a', { method: 'DELETE', ifMatch: '*' });
    await until(() => told.includes(4));
    await empty();
    expect(told).toEqual([1, 2, 4]);
  }, 60_000);

  it('tells a burst by few events, never one that is not committed, and the newest last', async () => {
    const plane = await start();
    const seen: { readonly told: number; readonly committed: number }[] = [];
    plane.bus.subscribe(TOPICS.config, 'broadcast', async ({ value }) => void seen.push({ told: (JSON.parse(value.toString()) as { version: number }).version, committed: await committed() }));
    await Promise.all(Array.from({ length: 100 }, (_, index) => plane.put(`/v1/rules/r${index}`, ruleFor(`r${index}`))));
    await until(() => seen.at(-1)?.told === 100);
    await empty();
    expect(seen.filter((each) => each.told > each.committed)).toEqual([]);
    expect(seen.map(({ told }) => told)).toEqual(seen.map(({ told }) => told).sort((a, b) => a - b));
    expect(seen.length).toBeLessThan(60);
  }, 60_000);

  it('a bus that takes nothing: writes do not wait, /readyz stays good, the row waits and is counted; whoever reaches a bus tells it', async () => {
    const broken = await nobody();
    const lonely = await start(broken);
    const times: number[] = [];
    for (const id of ['a', 'b', 'c', 'd']) {
      const startedMs = performance.now();
      expect((await lonely.put(`/v1/rules/${id}`, ruleFor(id))).status).toBe(201);
      times.push(performance.now() - startedMs);
    }
    expect(Math.max(...times)).toBeLessThan(BOUND_MS);
    await until(async () => (await metric(lonely, 'sluice_config_announcements_total')) !== undefined);
    await until(async () => (await metric(lonely, 'sluice_outbox_pending')) === 4);
    expect(await metric(lonely, 'sluice_outbox_oldest_age_seconds')).toBeGreaterThan(0.2);
    expect((await lonely.call('/readyz')).status).toBe(200);
    expect((await lonely.call('/metrics')).text).toMatch(/sluice_config_announcements_total\{[^}]*outcome="dropped"[^}]*\} [1-9]/);
    expect(await waiting()).toEqual([1, 2, 3, 4]);
    // It did not write them, and nobody tells it of them but the table.
    const other = await start();
    const told = versionsOn(other.bus);
    await until(() => told.includes(4));
    await empty();
    await until(async () => (await metric(lonely, 'sluice_outbox_pending')) === 0);
    expect(await metric(lonely, 'sluice_outbox_oldest_age_seconds')).toBe(0);
    expect(told).toEqual([4]);
    // Nor does it hear of later ones in any other way.
    await lonely.put('/v1/rules/e', ruleFor('e'));
    await until(() => told.includes(5));
    await broken.close();
  }, 60_000);

  it('several replicas: whoever commits, the newest version is told, each claimed by one at a time', async () => {
    const three = [await start(), await start(), await start()];
    const told = three.map(({ bus }) => versionsOn(bus));
    await Promise.all(three.map(async ({ put }, at) => {
      for (let index = 0; index < 20; index += 1) await put(`/v1/rules/p${at}-${index}`, ruleFor(`p${at}-${index}`));
    }));
    await empty();
    const all = told.flat();
    expect(Math.max(...all)).toBe(60);
    expect(new Set(all).size).toBe(all.length);
    for (const one of told) expect(one).toEqual([...one].sort((a, b) => a - b));
  }, 60_000);

  it('a replica that hangs with a row in its hands holds up neither newer versions nor, once it is dead, its own', async () => {
    const hung = new Client({ connectionString: database.url });
    await hung.connect();
    const plane = await start();
    const told = versionsOn(plane.bus);
    await plane.put('/v1/rules/a', ruleFor('a'));
    await empty();
    await sql.query(`INSERT INTO outbox (version, created_at) VALUES (1, clock_timestamp() - interval '1 hour')`);
    // It may be gone before it is seen: then again.
    for (;;) {
      await hung.query('BEGIN');
      if ((await hung.query('SELECT 1 FROM outbox WHERE version = 1 FOR UPDATE')).rowCount === 1) break;
      await hung.query('ROLLBACK');
      await sql.query(`INSERT INTO outbox (version, created_at) VALUES (1, clock_timestamp() - interval '1 hour')`);
    }
    await plane.put('/v1/rules/b', ruleFor('b'));
    await until(() => told.includes(2));
    await until(async () => (await waiting()).join() === '1');
    await hung.end();
    await empty();
  }, 60_000);

  it('a connection that breaks while a version is told: the version stays, and the process goes on', async () => {
    const plane = await start();
    await plane.put('/v1/rules/a', ruleFor('a'));
    await plane.admin.close();
    await sql.query('INSERT INTO outbox (version, created_at) VALUES (7, clock_timestamp())');
    const outbox = new Outbox({ databaseUrl: database.url, tokens: [], migrateOnStart: false, host: '', port: 0 }, pino({ level: 'silent' }));
    const handedOver = outbox.handOver(async () => {
      await sql.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'sluice-rules-admin-outbox' AND datname = current_database()`);
      await new Promise((resolve) => setTimeout(resolve, 100));
      return 'sent' as const;
    });
    await expect(handedOver).rejects.toThrow();
    expect(await waiting()).toEqual([7]);
    expect(await outbox.handOver(async () => 'sent' as const)).toBe('sent');
    expect(await waiting()).toEqual([]);
    await outbox.close();
  }, 60_000);

  it('what piled up in a long outage goes by one event and in steps', async () => {
    const broken = await nobody();
    const lonely = await start(broken);
    await lonely.put('/v1/rules/a', ruleFor('a'));
    await sql.query(`INSERT INTO outbox (version, created_at) SELECT n, clock_timestamp() - interval '1 day' FROM generate_series(2, 25001) AS n`);
    await sql.query('UPDATE config_version SET version = 25001, snapshot_version = 25001');
    const bus = new InProcessBus(pino({ level: 'silent' }));
    // Before it starts: its relay looks at once.
    const told = versionsOn(bus);
    await start(bus);
    await empty();
    // The lonely one may have had the row of version 1 in its hands: then that comes after, which no node minds.
    expect([[25_001], [25_001, 1]]).toContainEqual(told);
    await broken.close();
    await bus.close();
  }, 60_000);

  it('a stop tells what the last requests committed', async () => {
    const plane = await start();
    const told = versionsOn(plane.bus);
    await Promise.all(['a', 'b', 'c'].map((id) => plane.put(`/v1/rules/${id}`, ruleFor(id))));
    await plane.admin.close();
    await until(() => told.at(-1) === 3);
    expect(await waiting()).toEqual([]);
  }, 60_000);

  it('R43 PostgreSQL goes away and comes back: the push too', async () => {
    const postgres = await startPostgres();
    const plane = await startControlPlane({ databaseUrl: postgres.url });
    try {
      const told = versionsOn(plane.bus);
      await plane.put('/v1/rules/a', ruleFor('a'));
      await until(() => told.includes(1));
      await postgres.kill();
      expect((await plane.put('/v1/rules/b', ruleFor('b'))).status).toBe(503);
      await postgres.restart();
      await until(async () => (await plane.put('/v1/rules/b', ruleFor('b'))).status === 201, 30_000);
      await until(() => told.includes(2));
    } finally {
      await plane.close();
      await postgres.stop();
    }
  }, 60_000);
});
