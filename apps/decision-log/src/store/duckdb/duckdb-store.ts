import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { DecisionEvent } from '@sluice/events';
import type { Aggregate, AggregateRow } from '../aggregate.js';
import type { DecisionColumns } from '../decision-columns.js';
import type { DecisionFilter } from '../decision-filter.js';
import type { DecisionPlace, DecisionStore, ReceivedEvent, StoreStatus, Written } from '../decision-store.js';
import { aggregateEvents } from './aggregate-events.js';
import { appendEvents } from './append-events.js';
import { type Database, DATABASE_FILE } from './database.js';
import { storeFault } from './duckdb-faults.js';
import type { DuckDbSettings } from './duckdb-store-options.js';
import { findEvents } from './find-events.js';
import type { PartFiles } from './part-files.js';
import { Producers } from './producers.js';
import { Reader } from './reader.js';
import { scanColumns } from './scan-columns.js';
import { scanEvents } from './scan-events.js';
import { PartTending } from './tend-parts.js';
import { inTransaction } from './transaction.js';

/** The embedded store: one process writes, and answers queries beside it. */
export class DuckDbStore implements DecisionStore {
  readonly #settings: DuckDbSettings;
  readonly #database: Database;
  readonly #reader: Reader;
  readonly #tending: PartTending;
  readonly #producers = new Producers();
  readonly #onClose: () => void;
  #writes: Promise<unknown> = Promise.resolve();
  #tendings: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | undefined;

  constructor(settings: DuckDbSettings, database: Database, files: PartFiles, onClose: () => void) {
    this.#settings = settings;
    this.#database = database;
    this.#reader = new Reader(database, files, settings);
    this.#tending = new PartTending(database, files, settings);
    this.#onClose = onClose;
  }

  write(batch: readonly ReceivedEvent[]): Promise<Written> {
    return this.#alone(() => this.#write(batch));
  }

  async find(filter: DecisionFilter, limit: number, after?: DecisionPlace): Promise<readonly DecisionEvent[]> {
    return this.#reader.read(filter, (session) => findEvents(session, filter, limit, after));
  }

  async aggregate(query: Aggregate): Promise<readonly AggregateRow[]> {
    return this.#reader.read(query.filter, (session) => aggregateEvents(session, query));
  }

  scan(filter: DecisionFilter): AsyncIterable<readonly DecisionEvent[]> {
    return scanEvents(this.#reader, filter);
  }

  scanColumns(filter: DecisionFilter, attributes: ReadonlySet<string>): AsyncIterable<DecisionColumns> {
    return scanColumns(this.#reader, filter, attributes);
  }

  tend(nowMs: number): Promise<void> {
    const done = this.#tendings.then(async () => {
      try {
        await this.#faulted(() => this.#tending.tend(nowMs));
      } finally {
        await this.#forgetProducers();
      }
    });
    this.#tendings = done.catch(() => undefined);
    return done;
  }

  async status(): Promise<StoreStatus> {
    return this.#faulted(() =>
      this.#database.use(async (connection) => {
        const result = await connection.run(
          `SELECT (SELECT count(*) FROM events) + (SELECT coalesce(sum(row_count), 0) FROM parts), (SELECT coalesce(sum(bytes), 0) FROM parts),
           least((SELECT min(at_ms) FROM events), (SELECT min(first_ms) FROM parts)), greatest((SELECT max(at_ms) FROM events), (SELECT max(last_ms) FROM parts))`,
        );
        const [events, bytes, oldestMs, newestMs] = (await result.getRows())[0] ?? [];
        return {
          kind: 'duckdb',
          events: Number(events),
          bytes: Number(bytes) + (await this.#databaseBytes()),
          oldestMs: oldestMs === null ? undefined : Number(oldestMs),
          newestMs: newestMs === null ? undefined : Number(newestMs),
        };
      }),
    );
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#reader.stop();
    await Promise.all([this.#writes, this.#tendings]);
    await this.#database.close();
    this.#onClose();
  }

  async #write(batch: readonly ReceivedEvent[]): Promise<Written> {
    return this.#database.use(async (connection) => {
      try {
        await this.#producers.load(connection);
        const { fresh, changed } = this.#producers.newOf(batch);
        if (fresh.length > 0) {
          await inTransaction(connection, async () => {
            await appendEvents(connection, fresh);
            await this.#producers.save(connection, changed, this.#settings.clock.nowMs());
          });
        }
        return { stored: fresh.length, repeated: batch.length - fresh.length };
      } catch (error) {
        this.#producers.distrust();
        throw error;
      }
    });
  }

  /** One after the other: what writes is one. */
  #alone<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#writes.then(() => this.#faulted(work));
    this.#writes = done.catch(() => undefined);
    return done;
  }

  async #faulted<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw storeFault(error);
    }
  }

  async #forgetProducers(): Promise<void> {
    await this.#alone(() => this.#database.use((connection) => this.#producers.forget(connection, this.#settings.clock.nowMs() - this.#settings.producerMemoryMs)));
  }

  async #databaseBytes(): Promise<number> {
    const files = [DATABASE_FILE, `${DATABASE_FILE}.wal`].map((name) => join(this.#settings.dir, name));
    const sizes = await Promise.all(files.map((file) => stat(file).then(({ size }) => size, () => 0)));
    return sizes.reduce((sum, size) => sum + size, 0);
  }
}
