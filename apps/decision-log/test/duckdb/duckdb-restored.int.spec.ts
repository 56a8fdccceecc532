import { cp, mkdtemp, readdir, rename, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { DecisionStore, ReceivedEvent } from '../../src/store/decision-store.js';
import type { DuckDbStoreOptions } from '../../src/store/duckdb/duckdb-store-options.js';
import { openDuckDbStore } from '../../src/store/duckdb/open-duckdb-store.js';
import { FIRST_HOUR_MS } from './process/numbered-event.js';
import { eventOf } from '../store-contract/sample-events.js';

const HOUR_MS = 3_600_000;
const SEALED_MS = FIRST_HOUR_MS + 100 * HOUR_MS;
const EVENTS = 50;

describe('R81 no start of the embedded store removes history', () => {
  let dir: string;
  let sequence = 0;
  const logged: unknown[] = [];
  const opened: DecisionStore[] = [];
  const open = async (): Promise<DecisionStore> => {
    const logger = { error: (...all: unknown[]) => logged.push(all), warn: () => undefined } as unknown as NonNullable<DuckDbStoreOptions['logger']>;
    const store = await openDuckDbStore({ dir, retentionMs: 3_650 * 86_400_000, logger });
    opened.push(store);
    return store;
  };
  const hour = (at: number): ReceivedEvent[] =>
    Array.from({ length: EVENTS }, (_, index) => ({ partition: 0, event: eventOf({ event_id: `p:${String((sequence += 1))}`, at_ms: FIRST_HOUR_MS + at * HOUR_MS + index }) }));
  const history = async (...hours: readonly number[]): Promise<void> => {
    const store = await open();
    for (const at of hours) await store.write(hour(at));
    await store.tend(SEALED_MS);
    await store.close();
  };
  const countOf = async (store: DecisionStore): Promise<number> => (await store.aggregate({ filter: { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER }, groupBy: [], limit: 1 }))[0]?.events ?? 0;
  const parts = async (folder = 'decisions'): Promise<string[]> => (await readdir(join(dir, folder), { recursive: true }).catch((): string[] => [])).filter((name) => name.endsWith('.parquet')).sort();
  const loseDatabase = async (): Promise<void> => {
    for (const file of ['decisions.duckdb', 'decisions.duckdb.wal']) await rm(join(dir, file), { force: true });
  };

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'sluice-restored-'));
    logged.length = 0;
  });
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close();
    await rm(dir, { recursive: true, force: true });
  });

  it('takes all parts in though the first start beside them was cut off', async () => {
    await history(0, 1, 2, 3);
    await loseDatabase();
    // As a kill right after the file was made leaves it.
    const instance = await DuckDBInstance.create(join(dir, 'decisions.duckdb'));
    const connection = await instance.connect();
    await connection.run('CREATE TABLE store_schema (version BIGINT NOT NULL)');
    connection.closeSync();
    instance.closeSync();
    const store = await open();
    expect(await countOf(store)).toBe(4 * EVENTS);
    expect(await parts()).toHaveLength(4);
    expect(logged).toEqual([]);
  });

  it('sets a part aside that cannot be read, takes the others in, and starts again as often as it likes', async () => {
    await history(0, 1, 2, 3);
    await loseDatabase();
    const [, damaged = ''] = await parts();
    await truncate(join(dir, 'decisions', damaged), 1_000);
    for (let start = 0; start < 3; start += 1) {
      const store = await open();
      expect(await countOf(store)).toBe(3 * EVENTS);
      await store.close();
      expect(await parts()).toHaveLength(3);
      expect(await parts('set-aside')).toEqual([damaged]);
    }
    expect(logged).toEqual([[expect.objectContaining({ path: join(dir, 'set-aside', damaged) }), expect.stringContaining('cannot be read')]]);
  });

  it('sets the parts aside that an older database does not know, and has them back once it is moved away', async () => {
    await history(0);
    await cp(join(dir, 'decisions.duckdb'), join(dir, 'backup'));
    await history(1, 2);
    const all = await parts();
    await rename(join(dir, 'backup'), join(dir, 'decisions.duckdb'));
    const older = await open();
    expect(await countOf(older)).toBe(EVENTS);
    await older.close();
    expect([...(await parts()), ...(await parts('set-aside'))].sort()).toEqual(all);
    expect(logged).toEqual([[{ paths: (await parts('set-aside')).map((path) => join(dir, 'set-aside', path)) }, expect.stringContaining('set aside')]]);
    await loseDatabase();
    await cp(join(dir, 'set-aside'), join(dir, 'decisions'), { recursive: true });
    expect(await countOf(await open())).toBe(3 * EVENTS);
  });

  it('removes nothing that an older database would remove, where it lists parts that are gone', async () => {
    await history(0, 0, 0);
    for (let late = 0; late < 3; late += 1) await history(0);
    await cp(join(dir, 'decisions.duckdb'), join(dir, 'backup'));
    const before = await parts();
    await history(0);
    await history(0);
    const after = await parts();
    expect(after).not.toEqual(before);
    await rename(join(dir, 'backup'), join(dir, 'decisions.duckdb'));
    await (await open()).close();
    expect([...(await parts()), ...(await parts('set-aside'))].sort()).toEqual(after);
    expect(logged.length).toBeGreaterThan(0);
  });

  it('removes what a crash left of its own work: parts that were merged, and one that was never listed', async () => {
    for (let late = 0; late < 3; late += 1) await history(0);
    await cp(join(dir, 'decisions'), join(dir, 'copy'), { recursive: true });
    await history(0);
    expect(await parts()).toHaveLength(1);
    // As a crash between the commit of a merge and the removal of what was merged leaves it.
    await cp(join(dir, 'copy'), join(dir, 'decisions'), { recursive: true });
    const store = await open();
    expect(await countOf(store)).toBe(4 * EVENTS);
    expect(await parts()).toHaveLength(1);
    expect(await parts('set-aside')).toEqual([]);
    expect(logged).toEqual([]);
    await store.tend(SEALED_MS);
    expect(await looseFiles(store)).toBe(0);
  });

  /** What the database still knows of files that may go. */
  async function looseFiles(store: DecisionStore): Promise<number> {
    await store.close();
    const instance = await DuckDBInstance.create(join(dir, 'decisions.duckdb'));
    const connection = await instance.connect();
    const [[count] = []] = (await connection.runAndReadAll('SELECT count(*) FROM loose_files')).getRows();
    connection.closeSync();
    instance.closeSync();
    return Number(count);
  }
});
