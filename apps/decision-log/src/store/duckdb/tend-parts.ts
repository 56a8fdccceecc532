import type { DuckDBConnection } from '@duckdb/node-api';
import { Bindings } from './bindings.js';
import type { Database } from './database.js';
import type { DuckDbSettings } from './duckdb-store-options.js';
import { HOUR_MS, hourOf } from './hours.js';
import type { PartFiles } from './part-files.js';
import { addPart, dropParts, listParts, type Part, partFile } from './parts.js';
import { inTransaction } from './transaction.js';
import { removePart, writePart } from './write-part.js';

/** An hour is closed so long after its end: most of what is late has come by then. */
const CLOSED_AFTER_MS = 5 * 60_000;
/** What came later waits in the table until it is so many rows, or so long. */
const LATE_ROWS = 5_000;
const LATE_MS = 10 * 60_000;
/** So many parts of an hour below so many rows become one. */
const MERGED_PARTS = 4;
const MERGED_ROWS = 4_000_000;

/** Keeps the table small and the parts few: writes out, merges and removes. */
export class PartTending {
  readonly #database: Database;
  readonly #files: PartFiles;
  readonly #settings: DuckDbSettings;
  #lateAtMs = 0;

  constructor(database: Database, files: PartFiles, settings: DuckDbSettings) {
    this.#database = database;
    this.#files = files;
    this.#settings = settings;
  }

  async tend(nowMs: number): Promise<void> {
    await this.#expire(hourOf(Math.max(0, nowMs - this.#settings.retentionMs)));
    await this.#writeOut(nowMs);
    await this.#merge();
  }

  /** Removes hours that are over before the time. */
  async #expire(beforeMs: number): Promise<void> {
    const expired = await this.#database.use((connection) =>
      inTransaction(connection, async () => {
        const parts = (await listParts(connection)).filter(({ hourMs }) => hourMs + HOUR_MS <= beforeMs);
        if (parts.length > 0) await dropParts(connection, parts);
        const bindings = new Bindings();
        await bindings.run(connection, `DELETE FROM events WHERE at_ms < ${bindings.integer(beforeMs)}`);
        return parts;
      }),
    );
    await this.#remove(expired);
  }

  async #writeOut(nowMs: number): Promise<void> {
    const late = nowMs - this.#lateAtMs >= LATE_MS;
    const { openRows } = this.#settings;
    const written = await this.#database.use((connection) => hoursOfTable(connection));
    for (const { hourMs, rows, parts } of written) {
      const closed = hourMs + HOUR_MS + CLOSED_AFTER_MS <= nowMs || hourMs > nowMs + HOUR_MS;
      if (rows >= openRows || (closed && (parts === 0 || rows >= LATE_ROWS || late))) await this.#writeHour(hourMs);
    }
    if (late) this.#lateAtMs = nowMs;
  }

  async #writeHour(hourMs: number): Promise<void> {
    await this.#database.use(async (connection) => {
      const from = (bindings: Bindings): string => `at_ms >= ${bindings.integer(hourMs)} AND at_ms < ${bindings.integer(hourMs + HOUR_MS)}`;
      await this.#replace(connection, [], async () => {
        const bindings = new Bindings();
        const part = await writePart(connection, this.#settings.dir, hourMs, `events WHERE ${from(bindings)}`, bindings);
        const deletion = new Bindings();
        await deletion.run(connection, `DELETE FROM events WHERE ${from(deletion)}`);
        return part;
      });
    });
  }

  async #merge(): Promise<void> {
    const small = (await this.#database.use((connection) => listParts(connection))).filter(({ rows }) => rows < MERGED_ROWS);
    for (const hourMs of new Set(small.map((part) => part.hourMs))) {
      const parts = small.filter((part) => part.hourMs === hourMs);
      if (parts.length < MERGED_PARTS) continue;
      await this.#database.use((connection) =>
        this.#replace(connection, parts, () => {
          const bindings = new Bindings();
          const files = bindings.texts(parts.map((part) => partFile(this.#settings.dir, part)));
          return writePart(connection, this.#settings.dir, hourMs, `read_parquet(${files}, hive_partitioning = false)`, bindings);
        }),
      );
      await this.#remove(parts);
    }
  }

  /** One transaction in which a new part takes the place of rows or of other parts. */
  async #replace(connection: DuckDBConnection, old: readonly Part[], write: () => Promise<Part>): Promise<void> {
    let part: Part | undefined;
    try {
      await inTransaction(connection, async () => {
        part = await write();
        if (old.length > 0) await dropParts(connection, old);
        await addPart(connection, part);
      });
    } catch (error) {
      if (part !== undefined && !(await this.#isListed(part).catch(() => true))) await removePart(this.#settings.dir, part);
      throw error;
    }
  }

  /** Whether a commit that failed holds all the same. While that cannot be told, the file stays: what is on no list is swept at the next start. */
  async #isListed({ path }: Part): Promise<boolean> {
    return this.#database.use(async (connection) => (await listParts(connection)).some((part) => part.path === path));
  }

  async #remove(parts: readonly Part[]): Promise<void> {
    if (parts.length > 0) await this.#files.remove(parts.map((part) => partFile(this.#settings.dir, part)));
  }
}

/** The hours that have rows in the table, with how many, and how many parts they have. */
async function hoursOfTable(connection: DuckDBConnection): Promise<{ hourMs: number; rows: number; parts: number }[]> {
  const bindings = new Bindings();
  const hour = bindings.integer(HOUR_MS);
  const result = await bindings.run(
    connection,
    `SELECT hours.hour_ms, row_total, (SELECT count(*) FROM parts WHERE parts.hour_ms = hours.hour_ms)
     FROM (SELECT at_ms - at_ms % ${hour} AS hour_ms, count(*) AS row_total FROM events GROUP BY ALL) AS hours ORDER BY 1`,
  );
  return (await result.getRows()).map(([hourMs, rows, parts]) => ({ hourMs: Number(hourMs), rows: Number(rows), parts: Number(parts) }));
}
