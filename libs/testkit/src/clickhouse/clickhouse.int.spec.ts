import { setTimeout as sleep } from 'node:timers/promises';
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { type ClickHouseServer, startClickHouse } from './clickhouse-server.js';
import { findClickHouse } from './find-clickhouse.js';
import { sharedClickHouse } from './shared-clickhouse.js';

const TIMEOUT_MS = 300_000; // The first run of a machine fetches the engine.

// Debian has no package of it, so that it may be missing.
const ifClickHouse = 'missing' in (await findClickHouse()) ? describe.skip : describe;

async function withClickHouse<T>(url: string, work: (client: ClickHouseClient) => Promise<T>): Promise<T> {
  const client = createClient({ url, compression: { request: true, response: true }, log: { level: ClickHouseLogLevel.OFF } });
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

const rows = async (client: ClickHouseClient, query: string, query_params = {}): Promise<unknown> => (await client.query({ query, query_params, format: 'JSONCompactEachRow' })).json();

async function started(...options: Parameters<typeof startClickHouse>): Promise<ClickHouseServer> {
  const server = await startClickHouse(...options);
  if ('missing' in server) throw new Error('ClickHouse was found and is not there');
  return server;
}

ifClickHouse('R90 a private ClickHouse (skipped where none can be had)', () => {
  it('keeps through kill -9 and restart what it acknowledged; answers nothing while paused', async () => {
    const server = await started();
    await withClickHouse(server.url, async (client) => {
      await client.command({ query: 'CREATE TABLE t (n UInt64, s String) ENGINE = MergeTree ORDER BY n' });
      await client.insert({ table: 't', values: [[1, "hostile \u0000 ' \\ \n 😀"], [2, '']], format: 'JSONCompactEachRow' });
      await server.kill();
      await expect(client.ping()).resolves.toMatchObject({ success: false });
      await server.restart();
      expect(await rows(client, 'SELECT n, s FROM t WHERE s = {s:String}', { s: "hostile \u0000 ' \\ \n 😀" })).toEqual([[1, "hostile \u0000 ' \\ \n 😀"]]);
      server.pause();
      let answered = false;
      const answer = rows(client, 'SELECT 1').then(() => {
        answered = true;
      });
      await sleep(150);
      expect(answered).toBe(false);
      server.resume();
      await answer;
    });
    await server.stop();
  }, TIMEOUT_MS);

  it('sends many rows in pieces, and the engine its errors as they are, or breaks off', async () => {
    const server = await started();
    await withClickHouse(server.url, async (client) => {
      const stream = (await client.query({ query: 'SELECT number FROM numbers(300000)', format: 'JSONCompactEachRow' })).stream();
      let count = 0;
      for await (const piece of stream) count += piece.length;
      expect(count).toBe(300_000);
      await expect(rows(client, 'SELECT * FROM nowhere')).rejects.toMatchObject({ code: '60', type: 'UNKNOWN_TABLE' });
      await expect(rows(client, 'SELECT sleep(3) SETTINGS max_execution_time = 1')).rejects.toMatchObject({ code: '159' });
      await expect(rows(client, 'SELECT throwIf(number = 900000) FROM numbers(1000000)')).rejects.toThrow();
    });
    await server.stop();
  }, TIMEOUT_MS);

  it('lets nobody in but the user that was asked for', async () => {
    const server = await started({ user: { name: 'sluice', password: 'p@ss' } });
    expect(await withClickHouse(server.url, (client) => rows(client, 'SELECT 1'))).toEqual([[1]]);
    const wrong = server.url.replace('p%40ss', 'guess');
    await expect(withClickHouse(wrong, (client) => rows(client, 'SELECT 1'))).rejects.toMatchObject({ code: '516' });
    await server.stop();
  }, TIMEOUT_MS);
});

ifClickHouse('R90 the shared ClickHouse (skipped where none can be had)', () => {
  it('gives everybody the name of a database of their own', async () => {
    const [mine, yours] = await Promise.all([sharedClickHouse(), sharedClickHouse()]);
    if ('missing' in mine || 'missing' in yours) throw new Error('ClickHouse was found and is not there');
    expect(new URL(mine.url).host).toBe(new URL(yours.url).host);
    const name = new URL(mine.url).pathname.slice(1);
    await withClickHouse(new URL(mine.url).origin, async (client) => {
      await client.command({ query: `CREATE DATABASE ${name}` });
      await mine.drop();
      expect(await rows(client, 'SELECT count() FROM system.databases WHERE name = {name:String}', { name })).toEqual([[0]]);
    });
    await yours.drop();
  }, TIMEOUT_MS);
});

describe('R90 a ClickHouse that cannot be had', () => {
  const before = { ...process.env };
  afterEach(() => {
    process.env = before;
  });

  it('is no error, but is said; a server that is named is taken', async () => {
    process.env = { ...before, PATH: '/nowhere' };
    const said: string[] = [];
    const write = process.stderr.write.bind(process.stderr);
    process.stderr.write = (text: string | Uint8Array): boolean => said.push(String(text)) > 0;
    try {
      expect(await startClickHouse()).toEqual({ missing: 'there is no python3 to run it in' });
    } finally {
      process.stderr.write = write;
    }
    expect(said.join('')).toMatch(/NO CLICKHOUSE HERE.*SLUICE_TEST_CLICKHOUSE_URL/);
    process.env['SLUICE_TEST_CLICKHOUSE_URL'] = 'http://user:secret@ch.test:8123';
    expect(await sharedClickHouse()).toMatchObject({ url: expect.stringMatching(/^http:\/\/user:secret@ch\.test:8123\/sluice_test_[0-9a-f]{16}$/) as string });
  });
});
