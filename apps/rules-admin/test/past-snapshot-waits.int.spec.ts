import { Client } from 'pg';
import { type ControlPlane, startControlPlane, until } from './control-plane.js';

let plane: ControlPlane;
let second: ControlPlane;
let writer: Client;
let watcher: Client;
beforeAll(async () => {
  plane = await startControlPlane();
  second = await startControlPlane({ databaseUrl: plane.databaseUrl });
  writer = new Client(plane.databaseUrl);
  // Another session: within a transaction the activity does not change.
  watcher = new Client(plane.databaseUrl);
  await Promise.all([writer.connect(), watcher.connect()]);
}, 60_000);
afterAll(async () => {
  await Promise.all([writer.end(), watcher.end()]);
  await second.close();
  await plane.close();
});

const ago = (ms: number): string => new Date(Date.now() - ms).toISOString();
const at = (on: ControlPlane, time: string): ReturnType<ControlPlane['call']> => on.call(`/v1/snapshot?at=${time}`);

/** Sessions of this database that wait for a row. */
async function waiting(): Promise<number> {
  const { rows } = await watcher.query<{ count: number }>(`SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`);
  return rows[0]?.count ?? 0;
}

describe('R60 who asks for what was in force keeps no writer waiting', () => {
  it('a time up to the last change is answered beside a write that is under way; later ones wait for it, all in one place', async () => {
    await plane.put('/v1/plans/free', {});
    const [last] = (await plane.call('/v1/audit?limit=1')).body['entries'] as { at: string }[];
    await writer.query('BEGIN');
    await writer.query('SELECT 1 FROM config_version FOR UPDATE');
    expect((await at(plane, last?.at ?? '')).status).toBe(200);
    let answered = 0;
    const later = Array.from({ length: 12 }, async () => {
      const { status } = await at(plane, ago(2));
      answered += 1;
      return status;
    });
    await until(async () => (await waiting()) > 0);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect([await waiting(), answered]).toEqual([1, 0]);
    await writer.query('COMMIT');
    expect(new Set(await Promise.all(later))).toEqual(new Set([200]));
  }, 30_000);

  it('writes get through while thirty connections at two control planes ask without end', async () => {
    let reading = true;
    const readers = Array.from({ length: 30 }, async (_, n) => {
      while (reading) await at(n % 2 === 0 ? plane : second, ago(n % 3 === 0 ? 2_000 : 2)).catch(() => undefined);
    });
    const statuses: number[] = [];
    for (let n = 0; n < 5; n += 1) statuses.push((await plane.put(`/v1/plans/p${n}`, {})).status);
    reading = false;
    await Promise.all(readers);
    expect(statuses).toEqual([201, 201, 201, 201, 201]);
  }, 60_000);
});
