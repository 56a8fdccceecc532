import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from '@sluice/platform';
import { StoreUnavailable } from '../store-faults.js';
import { Database } from './database.js';
import { duckDbSettings } from './duckdb-store-options.js';

describe('R81 the database after a fault that DuckDB does not survive', () => {
  let dir: string;
  let database: Database;
  const said: string[] = [];

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'sluice-database-'));
    said.length = 0;
    const logger = { warn: (text: string) => said.push(text) } as unknown as Logger;
    database = await Database.open(duckDbSettings({ dir, retentionMs: 1, logger }));
  });
  afterEach(async () => {
    await database.close();
    await rm(dir, { recursive: true, force: true });
  });

  it('is opened anew, once those who use it have let go, with what was committed', async () => {
    await database.use((connection) => connection.run('CREATE TABLE kept (n BIGINT)'));
    const { release } = await database.connect();
    await expect(database.use(() => Promise.reject(new Error('FATAL Error: database has been invalidated')))).rejects.toThrow('FATAL');
    await expect(database.connect()).rejects.toThrow(StoreUnavailable);
    release();
    expect(await database.use(async (connection) => (await connection.runAndReadAll('SELECT count(*) FROM kept')).getRows())).toEqual([[0n]]);
    expect(said).toEqual(['the embedded store was opened anew after a fault']);
  });

  it('stays as it is after any other', async () => {
    for (const text of ['Out of Memory Error: x', 'INTERRUPT Error: x', 'Invalid Input Error: x']) database.noteFault(new Error(text));
    await database.use((connection) => connection.run('SELECT 1'));
    expect(said).toEqual([]);
  });
});
