import type { DuckDBConnection } from '@duckdb/node-api';
import { Bindings } from './bindings.js';
import type { Database } from './database.js';
import { isDamage } from './duckdb-faults.js';
import type { DuckDbSettings } from './duckdb-store-options.js';
import { HOUR_MS, hourFolder, hourOf } from './hours.js';
import { forgetGone, forgetLoose, noteLoose } from './loose-files.js';
import type { PartFiles } from './part-files.js';
import { addPart, dropParts, listParts, type Part, partFile } from './parts.js';
import { inTransaction } from './transaction.js';
import { type NewPart, newPart, removePart, writePart } from './write-part.js';

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
  /** Hours of which a part is damaged. */
  readonly #unreadable = new Set<number>();
  #lateAtMs = 0;

  constructor(database: Database, files: PartFiles, settings: DuckDbSettings) {
    this.#database = database;
    this.#files = files;
    this.#settings = settings;
  }

  async tend(nowMs: number): Promise<void> {
    await this.#database.use((connection) => forgetGone(connection, this.#settings.dir));
    await this.#expire(hourOf(Math.max(0, nowMs - this.#settings.retentionMs)));
    await this.#writeOut(nowMs);
    await this.#merge();
  }

  /** Removes hours that are over before the time. */
  async #expire(beforeMs: number): Promise<void> {
    const expired = await this.#database.use((connection) =>
      inTransaction(connection, async () => {
        const parts = (await listParts(connection)).filter(({ hourMs }) => hourMs + HOUR_MS <= beforeMs);
        if (parts.length > 0) await this.#takeOff(connection, parts);
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
      await this.#replace(connection, hourMs, [], async (place) => {
        const bindings = new Bindings();
        const part = await writePart(connection, this.#settings.dir, place, `events WHERE ${from(bindings)}`, bindings);
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
      if (parts.length >= MERGED_PARTS && !this.#unreadable.has(hourMs)) await this.#mergeHour(hourMs, parts);
    }
  }

  /** An hour that cannot be read must not be in the way of those behind it. */
  async #mergeHour(hourMs: number, parts: readonly Part[]): Promise<void> {
    try {
      await this.#database.use((connection) =>
        this.#replace(connection, hourMs, parts, (place) => {
          const bindings = new Bindings();
          const files = bindings.texts(parts.map((part) => partFile(this.#settings.dir, part)));
          return writePart(connection, this.#settings.dir, place, `read_parquet(${files}, hive_partitioning = false)`, bindings);
        }),
      );
    } catch (error) {
      if (!isDamage(error)) throw error;
      this.#unreadable.add(hourMs);
      this.#settings.logger?.error({ err: error, hour: hourFolder(hourMs), paths: parts.map(({ path }) => path) }, 'a part of an hour is damaged: its parts are not merged before the next start');
      return;
    }
    await this.#remove(parts);
  }

  /** One transaction in which a new part takes the place of rows or of other parts; before it the file is noted as one that may go, should it come to nothing. */
  async #replace(connection: DuckDBConnection, hourMs: number, old: readonly Part[], write: (place: NewPart) => Promise<Part>): Promise<void> {
    const place = newPart(hourMs);
    await noteLoose(connection, [place.path]);
    try {
      await inTransaction(connection, async () => {
        const part = await write(place);
        if (old.length > 0) await this.#takeOff(connection, old);
        await addPart(connection, part);
        await forgetLoose(connection, [part.path]);
      });
    } catch (error) {
      if (!(await this.#isListed(place).catch(() => true))) await removePart(this.#settings.dir, place);
      throw error;
    }
  }

  async #takeOff(connection: DuckDBConnection, parts: readonly Part[]): Promise<void> {
    await dropParts(connection, parts);
    await noteLoose(
      connection,
      parts.map(({ path }) => path),
    );
  }

  /** Whether a commit that failed holds all the same. While that cannot be told, the file stays: it is noted as one that may go, and does at the next start. */
  async #isListed({ path }: NewPart): Promise<boolean> {
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
