import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance, type DuckDBValue } from '@duckdb/node-api';
import { fakeClock } from '@sluice/testkit';
import type { DecisionStore, ReceivedEvent } from '../../src/store/decision-store.js';
import { openDuckDbStore } from '../../src/store/duckdb/open-duckdb-store.js';
import { eventOf } from '../store-contract/sample-events.js';

const HOUR_MS = 3_600_000;
/** 2026-11-30T00:00Z. */
const FIRST_MS = 1_795_996_800_000;

describe('R81 parts of the embedded store', () => {
  let dir: string;
  let store: DecisionStore;
  const clock = fakeClock(FIRST_MS);
  let sequence: number;

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'sluice-parts-'));
    clock.set(FIRST_MS);
    sequence = 0;
    store = await openDuckDbStore({ dir, retentionMs: 48 * HOUR_MS, openRows: 1_000, clock });
  });
  afterEach(async () => {
    await store.close();
    await rm(dir, { recursive: true, force: true });
  });

  const at = (atMs: number): ReceivedEvent => {
    sequence += 1;
    return { partition: 0, event: eventOf({ event_id: `p:${String(sequence)}`, at_ms: atMs, attributes: { key_id: `k${String((sequence * 7) % 10)}` } }) };
  };
  const fill = (hour: number, events: number): Promise<unknown> => store.write(Array.from({ length: events }, (_, index) => at(FIRST_MS + hour * HOUR_MS + ((index * 7_919) % HOUR_MS))));
  const parts = async (): Promise<string[]> => (await readdir(join(dir, 'decisions'), { recursive: true })).filter((name) => name.includes('/')).sort();
  const count = async (): Promise<number> => (await store.aggregate({ filter: { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER }, groupBy: [], limit: 1 }))[0]?.events ?? 0;

  it('writes an hour out when it is over, sorted by key and then time', async () => {
    await fill(0, 500);
    await fill(1, 20);
    await store.tend(FIRST_MS + HOUR_MS + 60_000);
    expect(await parts()).toEqual([]);
    await store.tend(FIRST_MS + HOUR_MS + 300_000);
    const [name = '', ...others] = await parts();
    expect(others).toEqual([]);
    expect(name).toMatch(/^hour=2026-11-30T00\/[0-9a-f-]{36}\.parquet$/);
    const rows = (await parquet(`SELECT key_id, at_ms FROM read_parquet($1, hive_partitioning = false)`, join(dir, 'decisions', name))).map(([key, atMs]) => [String(key), Number(atMs)] as const);
    expect(rows).toHaveLength(500);
    expect(rows).toEqual(rows.toSorted(([a, aMs], [b, bMs]) => (a < b ? -1 : a > b ? 1 : aMs - bMs)));
    expect(await count()).toBe(520);
  });

  it('writes the hour that is open out when it is large, and merges what became many', async () => {
    for (let part = 0; part < 4; part += 1) {
      await fill(0, 1_000);
      await store.tend(FIRST_MS + 60_000);
      expect(await parts()).toHaveLength(part < 3 ? part + 1 : 1);
      expect(await count()).toBe((part + 1) * 1_000);
    }
  });

  it('lets what is late wait, and writes it out when it waited', async () => {
    await fill(0, 100);
    await store.tend(FIRST_MS + 2 * HOUR_MS);
    await fill(0, 10);
    await store.tend(FIRST_MS + 2 * HOUR_MS + 60_000);
    expect(await parts()).toHaveLength(1);
    await store.tend(FIRST_MS + 2 * HOUR_MS + 600_000);
    expect(await parts()).toHaveLength(2);
    expect(await count()).toBe(110);
  });

  it('removes hours by the retention, files and rows', async () => {
    await fill(0, 50);
    await fill(1, 50);
    await store.tend(FIRST_MS + 3 * HOUR_MS);
    await fill(0, 5);
    await store.tend(FIRST_MS + 49 * HOUR_MS);
    expect(await parts()).toEqual([expect.stringContaining('hour=2026-11-30T01/')]);
    expect(await count()).toBe(50);
  });

  it('keeps the files of a query that is under way until it is over', async () => {
    for (let part = 0; part < 3; part += 1) {
      await fill(0, 4_000);
      await store.tend(FIRST_MS + 60_000);
    }
    const scan = store.scan({ fromMs: FIRST_MS, toMs: FIRST_MS + HOUR_MS })[Symbol.asyncIterator]();
    let seen = (await scan.next()).value.length;
    await fill(0, 4_000);
    await store.tend(FIRST_MS + 60_000);
    expect(await parts()).toHaveLength(5);
    for (let chunk = await scan.next(); chunk.done !== true; chunk = await scan.next()) seen += chunk.value.length;
    expect(seen).toBe(12_000);
    expect(await parts()).toHaveLength(1);
    expect(await count()).toBe(16_000);
  });

  it('never shows a part of what is being moved, nor any of it twice', async () => {
    await fill(0, 3_000);
    await fill(1, 3_000);
    let moving = true;
    const tending = (async () => {
      for (let hour = 2; hour < 5; hour += 1) await store.tend(FIRST_MS + hour * HOUR_MS);
      moving = false;
    })();
    while (moving) expect(await count()).toBe(6_000);
    await tending;
    expect(await count()).toBe(6_000);
  });

  it('forgets a producer that nothing new came from for eight days, and no other', async () => {
    const old = [at(FIRST_MS + 1_000)];
    await store.write(old);
    clock.set(FIRST_MS + 7 * 24 * HOUR_MS);
    await store.tend(FIRST_MS);
    expect(await store.write(old)).toEqual({ stored: 0, repeated: 1 });
    clock.set(FIRST_MS + 8 * 24 * HOUR_MS + 1);
    await store.tend(FIRST_MS);
    expect(await store.write(old)).toEqual({ stored: 1, repeated: 0 });
  });

  it('writes an hour of the future out, keeps it until its time has come, and leaves the next hour open', async () => {
    await fill(100_000, 10);
    await store.tend(FIRST_MS);
    expect(await parts()).toHaveLength(1);
    await fill(1, 1);
    await store.tend(FIRST_MS + 1);
    expect(await parts()).toHaveLength(1);
    await store.tend(FIRST_MS + 100 * HOUR_MS);
    expect(await count()).toBe(10);
    await store.tend(FIRST_MS + 100_100 * HOUR_MS);
    expect(await count()).toBe(0);
  });
});

async function parquet(sql: string, file: string): Promise<DuckDBValue[][]> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const rows = (await connection.runAndReadAll(sql, [file])).getRows();
  connection.closeSync();
  instance.closeSync();
  return rows;
}
