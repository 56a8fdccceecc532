import type { DuckDBConnection } from '@duckdb/node-api';
import { StoreUnavailable } from '../store-faults.js';
import type { Database } from './database.js';
import { damagedHour, queryFault } from './duckdb-faults.js';
import type { DuckDbSettings } from './duckdb-store-options.js';
import { Gate } from './gate.js';
import type { PartFiles } from './part-files.js';
import { listParts, partFile } from './parts.js';

/** A range of time, the end not included. */
export interface TimeRange {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Queries that run at once. Each holds a thread of libuv's pool, of which there are four: the writer and the tending need theirs. */
const AT_ONCE = 2;
const MAX_WAITING = 64;

/** Opens snapshots of the store to queries, bounded in number and in time. */
export class Reader {
  readonly #database: Database;
  readonly #files: PartFiles;
  readonly #settings: DuckDbSettings;
  readonly #gate: Gate;
  readonly #open = new Set<ReadSession>();
  readonly #damaged = new Set<string>();

  constructor(database: Database, files: PartFiles, settings: DuckDbSettings) {
    this.#database = database;
    this.#files = files;
    this.#settings = settings;
    this.#gate = new Gate({ room: AT_ONCE, maxWaiting: MAX_WAITING, maxWaitMs: settings.queryTimeoutMs });
  }

  /** The store as it is now, with the files of the parts that hold events of the range. */
  async open(range: TimeRange): Promise<ReadSession> {
    const letGo = this.#files.hold();
    try {
      const { connection, release } = await this.#database.connect();
      const session: ReadSession = new ReadSession(connection, this.#gate, this.#settings.queryTimeoutMs, {
        noteFault: (error) => this.#noteFault(error, session.files),
        onClose: async () => {
          this.#open.delete(session);
          release();
          await letGo();
        },
      });
      this.#open.add(session);
      return await session.begin(this.#settings.dir, range);
    } catch (error) {
      await letGo();
      throw error;
    }
  }

  /** One query on a snapshot. */
  async read<T>(range: TimeRange, query: (session: ReadSession) => Promise<T>): Promise<T> {
    const session = await this.open(range);
    try {
      return await session.step(() => query(session));
    } finally {
      await session.close();
    }
  }

  /** A damaged part is told of once: each query over it fails until somebody moves it away. */
  #noteFault(error: unknown, files: readonly string[]): void {
    this.#database.noteFault(error);
    const hour = damagedHour(error, files);
    if (hour === undefined || this.#damaged.has(hour)) return;
    this.#damaged.add(hour);
    this.#settings.logger?.error({ err: error, hour }, 'a part is damaged: no query over its hour is answered while it is there');
  }

  /** Ends sessions that wait for their caller; what runs comes to its end. */
  async stop(): Promise<void> {
    await Promise.all([...this.#open].map((session) => session.abort()));
  }
}

/** One snapshot of the table and the list of parts, for as long as it is open. */
export class ReadSession {
  readonly connection: DuckDBConnection;
  /** Parquet files that belong to it. */
  files: readonly string[] = [];
  readonly #gate: Gate;
  readonly #timeoutMs: number;
  readonly #on: { readonly noteFault: (error: unknown) => void; readonly onClose: () => Promise<void> };
  #running = false;
  #aborted = false;
  #closing: Promise<void> | undefined;

  constructor(connection: DuckDBConnection, gate: Gate, timeoutMs: number, on: { readonly noteFault: (error: unknown) => void; readonly onClose: () => Promise<void> }) {
    this.connection = connection;
    this.#gate = gate;
    this.#timeoutMs = timeoutMs;
    this.#on = on;
  }

  /** Begins the transaction whose snapshot all of it sees. */
  async begin(dir: string, range: TimeRange): Promise<this> {
    try {
      const parts = await this.step(async () => {
        await this.connection.run('BEGIN TRANSACTION READ ONLY');
        return listParts(this.connection, range);
      });
      this.files = parts.map((part) => partFile(dir, part));
      return this;
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  /**
   * A call that may take long.
   * @throws QueryTooLarge when it takes too long or too much memory
   */
  async step<T>(work: () => Promise<T>): Promise<T> {
    if (this.#aborted) throw new StoreUnavailable('the store is closed');
    this.#running = true;
    try {
      return await this.#gate.pass(async () => {
        const startedMs = performance.now();
        // Again and again: what is prepared at the moment, and not run yet, takes no notice.
        const timer = setInterval(
          () => {
            if (performance.now() - startedMs >= this.#timeoutMs) this.connection.interrupt();
          },
          Math.min(this.#timeoutMs, 50),
        );
        try {
          return await work();
        } finally {
          clearInterval(timer);
        }
      });
    } catch (error) {
      this.#on.noteFault(error);
      throw queryFault(error, this.#timeoutMs, this.files);
    } finally {
      this.#running = false;
      if (this.#aborted) await this.close();
    }
  }

  async abort(): Promise<void> {
    this.#aborted = true;
    if (!this.#running) await this.close();
  }

  async close(): Promise<void> {
    this.#closing ??= (async () => {
      await this.connection.run('ROLLBACK').catch(() => undefined);
      await this.#on.onClose();
    })();
    await this.#closing;
  }
}
