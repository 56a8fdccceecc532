import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fakeClock } from '@sluice/testkit';
import type { DecisionStore, ReceivedEvent } from '../../src/store/decision-store.js';
import type { DuckDbStoreOptions } from '../../src/store/duckdb/duckdb-store-options.js';
import { openDuckDbStore } from '../../src/store/duckdb/open-duckdb-store.js';
import { StoreUnavailable } from '../../src/store/store-faults.js';
import { FIRST_HOUR_MS } from './process/numbered-event.js';
import { eventOf } from '../store-contract/sample-events.js';

const HOUR_MS = 3_600_000;
const ALL = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER };

describe('R81 a damaged part of the embedded store', () => {
  let dir: string;
  let store: DecisionStore;
  let sequence = 0;
  const logged: unknown[] = [];
  const clock = fakeClock(FIRST_HOUR_MS);

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'sluice-damaged-'));
    logged.length = 0;
    clock.set(FIRST_HOUR_MS);
    const logger = { error: (...all: unknown[]) => logged.push(all), warn: () => undefined } as unknown as NonNullable<DuckDbStoreOptions['logger']>;
    store = await openDuckDbStore({ dir, retentionMs: 3_650 * 86_400_000, openRows: 100, logger, clock });
  });
  afterEach(async () => {
    await store.close();
    await rm(dir, { recursive: true, force: true });
  });

  const batch = (at: number): ReceivedEvent[] =>
    Array.from({ length: 100 }, (_, index) => ({ partition: 0, event: eventOf({ event_id: `p:${String((sequence += 1))}`, at_ms: FIRST_HOUR_MS + at * HOUR_MS + index, attributes: { key_id: `k${String(Math.random())}` } }) }));
  const tend = (): Promise<void> => store.tend(FIRST_HOUR_MS);
  const parts = async (at: number): Promise<string[]> => {
    const folder = join(dir, 'decisions', `hour=2026-11-30T0${String(at)}`);
    return (await readdir(folder)).map((name) => join(folder, name));
  };

  it('is in the way of its own hour alone: those behind it are merged, and producers forgotten', async () => {
    const forgotten = batch(0);
    await store.write(forgotten);
    await tend();
    await truncate((await parts(0))[0] ?? '', 200);
    for (let part = 1; part < 4; part += 1) {
      await store.write([...batch(0), ...batch(1)]);
      await tend();
    }
    await store.write(batch(1));
    clock.set(FIRST_HOUR_MS + 9 * 86_400_000);
    await tend();
    await tend();
    expect(await parts(0)).toHaveLength(4);
    expect(await parts(1)).toHaveLength(1);
    expect(await store.write(forgotten.slice(0, 1))).toEqual({ stored: 1, repeated: 0 });
    expect(logged).toEqual([[expect.objectContaining({ hour: 'hour=2026-11-30T00' }), expect.stringContaining('damaged')]]);
  });

  it.each<readonly [string, (file: Buffer) => Buffer | undefined]>([
    ['cut off', (file) => file.subarray(0, 200)],
    ['empty', (file) => file.subarray(0, 0)],
    ['other bytes within', (file) => file.fill(0x5a, 20, file.length - 4_000)],
    // A footer of the same length alone is no case: DuckDB may remember the one that it read, and then answers rightly.
    ['gone', () => undefined],
  ])('makes a query over its hour one that cannot be answered, which names the hour, and no other: %s', async (_, damage) => {
    await store.write([...batch(0), ...batch(1)]);
    await tend();
    const [part = ''] = await parts(0);
    const bytes = damage(await readFile(part));
    if (bytes === undefined) await rm(part);
    else await writeFile(part, bytes);
    const second = { fromMs: FIRST_HOUR_MS + HOUR_MS, toMs: FIRST_HOUR_MS + 2 * HOUR_MS };
    for (const ask of [
      () => store.find(ALL, 1_000),
      () => store.aggregate({ filter: ALL, groupBy: ['key_id', 'endpoint', 'rule_id', 'node_id'], bucketMs: 60_000, limit: 1_000 }),
      async () => { for await (const _chunk of store.scan(ALL)); },
      async () => { for await (const _columns of store.scanColumns(ALL, new Set(['key_id']))); },
    ]) {
      await expect(ask()).rejects.toThrow(StoreUnavailable);
      await expect(ask()).rejects.toThrow(/part of hour=2026-11-30T00.* is damaged/);
    }
    expect(await store.find(second, 1_000)).toHaveLength(100);
    expect(logged.length).toBeGreaterThan(0);
    expect(logged.length).toBeLessThanOrEqual(2);
  });
});
