import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { StartError } from '@sluice/platform';
import type { DecisionStore, ReceivedEvent } from '../../src/store/decision-store.js';
import type { DuckDbStoreOptions } from '../../src/store/duckdb/duckdb-store-options.js';
import { openDuckDbStore } from '../../src/store/duckdb/open-duckdb-store.js';
import { QueryTooLarge, StoreUnavailable } from '../../src/store/store-faults.js';
import { FIRST_HOUR_MS, numberedEvent } from './process/numbered-event.js';
import { StoreProcess } from './process/store-process.js';

const ALL = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER };
const SEALED_MS = FIRST_HOUR_MS + 10 * 3_600_000;

function numbered(from: number, length: number): ReceivedEvent[] {
  return Array.from({ length }, (_, index) => ({ partition: 0, event: numberedEvent(from + index) }));
}

async function countOf(store: DecisionStore): Promise<number> {
  return (await store.aggregate({ filter: ALL, groupBy: [], limit: 1 }))[0]?.events ?? 0;
}

describe('R81 faults of the embedded store', () => {
  let folder: string;
  let dir: string;
  const opened: DecisionStore[] = [];
  const open = async (options: Partial<DuckDbStoreOptions> = {}): Promise<DecisionStore> => {
    const store = await openDuckDbStore({ dir, retentionMs: 3_650 * 86_400_000, ...options });
    opened.push(store);
    return store;
  };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-faults-'));
    dir = join(folder, "it's", 'decisions');
  });
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('says which process has it open', async () => {
    const other = await StoreProcess.start({ dir, from: 0, onlyOpen: true });
    try {
      const opening = open();
      await expect(opening).rejects.toThrow(StartError);
      await expect(opening).rejects.toThrow(`PID ${String(other.pid)}`);
      await expect(opening).rejects.toThrow('SLUICE_DECISION_LOG_DIR');
    } finally {
      await other.kill();
    }
    await (await open()).close();
  });

  it('is not opened twice in one process, and can be after it was closed', async () => {
    const store = await open();
    await expect(open()).rejects.toThrow(StartError);
    await store.close();
    await (await open()).close();
  });

  it('makes its folder for its user alone, and those above it for all', async () => {
    dir = join(folder, '.sluice', 'data', 'decisions');
    await (await open()).close();
    expect((await stat(dir)).mode & 0o777).toBe(0o700);
    for (const above of ['.sluice', '.sluice/data']) expect((await stat(join(folder, above))).mode & 0o777).toBe(0o755 & ~process.umask());
  });

  it.each<readonly [string, () => Promise<string>]>([
    ['below a file', async () => { await writeFile(join(folder, 'file'), ''); return join(folder, 'file', 'decisions'); }],
    ...(process.platform === 'linux' ? [['where no folder can be made', () => Promise.resolve('/proc/sluice/decisions')] as const] : []),
    ['a file itself', async () => { await writeFile(join(folder, 'file'), ''); return join(folder, 'file'); }],
  ])('says that a folder cannot be written: %s', async (_, at) => {
    dir = await at();
    const opening = open();
    await expect(opening).rejects.toThrow(StartError);
    await expect(opening).rejects.toThrow(/cannot be written .*SLUICE_DECISION_LOG_DIR/);
  });

  it.each<readonly [string, (file: string) => Promise<void>]>([
    ['another file', (file) => writeFile(file, 'this is no database, although somebody put it here')],
    ['its start overwritten', async (file) => writeFile(file, Buffer.concat([Buffer.alloc(4_096, 7), (await readFile(file)).subarray(4_096)]))],
    ['cut off', (file) => truncate(file, 5_000)],
    ['empty headers', async (file) => writeFile(file, Buffer.concat([(await readFile(file)).subarray(0, 4_096), Buffer.alloc(8_192), (await readFile(file)).subarray(12_288)]))],
  ])('says that the database is damaged, and takes the parts in once it is moved away: %s', async (_, damage) => {
    const before = await open();
    await before.write(numbered(0, 3_000));
    await before.tend(SEALED_MS);
    await before.close();
    const file = join(dir, 'decisions.duckdb');
    await damage(file);
    const opening = open();
    await expect(opening).rejects.toThrow(StartError);
    await expect(opening).rejects.toThrow(/damaged .*move decisions\.duckdb/);
    await rm(file);
    const after = await open();
    expect(await countOf(after)).toBe(3_000);
    expect(await after.find(ALL, 1)).toHaveLength(1);
    await after.close();
  });

  it('says that it was written by a later release', async () => {
    await (await open()).close();
    const database = await DuckDBInstance.create(join(dir, 'decisions.duckdb'));
    const connection = await database.connect();
    await connection.run('UPDATE store_schema SET version = 2');
    connection.closeSync();
    database.closeSync();
    await expect(open()).rejects.toThrow(/later release/);
  });

  it('goes on without a part that somebody took away, and without a file that a crash left half written', async () => {
    const before = await open();
    await before.write(numbered(0, 3_000));
    await before.tend(SEALED_MS);
    await before.close();
    const hour = join(dir, 'decisions', 'hour=2026-11-30T00');
    await cp(hour, join(folder, 'copy'), { recursive: true });
    await rm(hour, { recursive: true });
    await mkdir(hour);
    await writeFile(join(hour, '00000000-0000-4000-8000-000000000001.parquet.tmp'), 'left by a crash');
    await writeFile(join(hour, 'README'), 'not ours');
    const errors: unknown[] = [];
    const logger = { error: (fields: unknown) => errors.push(fields), warn: () => undefined } as unknown as NonNullable<DuckDbStoreOptions['logger']>;
    const after = await open({ logger });
    const rest = await countOf(after);
    expect(rest).toBeGreaterThan(0);
    expect(rest).toBeLessThan(3_000);
    expect(errors).toEqual([expect.objectContaining({ events: 3_000 - rest })]);
    await after.close();
    expect(await readFile(join(hour, 'README'), 'utf8')).toBe('not ours');
    await expect(stat(join(hour, '00000000-0000-4000-8000-000000000001.parquet.tmp'))).rejects.toThrow('ENOENT');
  });

  it('cuts a query off that takes too long, says what to narrow, and answers the next one', async () => {
    const filled = await open();
    for (let from = 0; from < 60_000; from += 10_000) await filled.write(numbered(from, 10_000));
    await filled.close();
    const store = await open({ queryTimeoutMs: 2 });
    const wide = { filter: ALL, groupBy: ['key_id', 'endpoint', 'rule_id', 'node_id', 'reason'], bucketMs: 1, distinctKeys: true, limit: 10 } as const;
    await expect(store.aggregate(wide)).rejects.toThrow(QueryTooLarge);
    await expect(store.aggregate(wide)).rejects.toThrow(/shorter time range/);
    await expect((async () => { for await (const _ of store.scan(ALL)); })()).rejects.toThrow(QueryTooLarge);
    await store.close();
    const patient = await open();
    expect(await countOf(patient)).toBe(60_000);
    await patient.close();
  });

  it('says that a query takes too much memory, and answers a lesser one', async () => {
    const filled = await open();
    for (let from = 0; from < 60_000; from += 10_000) await filled.write(numbered(from, 10_000));
    await filled.close();
    const store = await open({ memoryMb: 16, threads: 1 });
    const wide = { filter: ALL, groupBy: ['key_id', 'endpoint', 'rule_id', 'node_id', 'reason'], bucketMs: 1, distinctKeys: true, orderBy: 'requests', limit: 1_000_000 } as const;
    await expect(store.aggregate(wide)).rejects.toThrow(/memory/);
    await expect(store.aggregate(wide)).rejects.toThrow(QueryTooLarge);
    expect(await countOf(store)).toBe(60_000);
    await store.close();
  });

  const tiny = smallDisk();
  (tiny === undefined ? it.skip : it)(`stores on after the disk was full, and doubles nothing${tiny === undefined ? ' (skipped: no file system can be mounted here)' : ''}`, async () => {
    const mount = join(folder, 'mount');
    await mkdir(mount);
    tiny?.mount(mount);
    try {
      dir = join(mount, 'decisions');
      const store = await open();
      const ballast = join(mount, 'ballast');
      await writeFile(ballast, Buffer.alloc(10_000_000));
      let stored = 0;
      let fault: unknown;
      while (fault === undefined && stored < 1_000_000) {
        await store.write(numbered(stored, 2_000)).then(() => (stored += 2_000), (error: unknown) => (fault = error));
      }
      expect(fault).toBeInstanceOf(StoreUnavailable);
      expect(String(fault)).toContain('the disk is full');
      expect(await countOf(store)).toBe(stored);
      await expect(store.write(numbered(stored, 2_000))).rejects.toThrow(StoreUnavailable);
      await rm(ballast);
      expect(await store.write(numbered(stored - 500, 2_500))).toEqual({ stored: 2_000, repeated: 500 });
      await store.tend(SEALED_MS);
      await store.close();
      const again = await open();
      expect(await countOf(again)).toBe(stored + 2_000);
      await again.close();
    } finally {
      // Lazily: a test that failed has the store open yet.
      tiny?.unmount(mount);
    }
  });
});

/** How a disk of 16 MB is had here; undefined where it is not. */
function smallDisk(): { mount: (at: string) => void; unmount: (at: string) => void } | undefined {
  const run = (...args: [string, ...string[]]): void => void execFileSync(args[0], args.slice(1), { stdio: 'ignore' });
  const disk = { mount: (at: string) => run('mount', '-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', at), unmount: (at: string) => run('umount', '--lazy', at) };
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return undefined;
  try {
    const probe = execFileSync('mktemp', ['-d'], { encoding: 'utf8' }).trim();
    disk.mount(probe);
    disk.unmount(probe);
    run('rmdir', probe);
    return disk;
  } catch {
    return undefined;
  }
}
