import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { StoreUnavailable } from '../store-faults.js';
import { isFatal } from './duckdb-faults.js';
import type { DuckDbSettings } from './duckdb-store-options.js';

/** File of the database within the folder of the store. */
export const DATABASE_FILE = 'decisions.duckdb';
/** Folder of the Parquet parts within it. */
export const PARTS_FOLDER = 'decisions';

/** The database: hands out connections, and comes back by itself after a fault that DuckDB does not survive. */
export class Database {
  readonly #settings: DuckDbSettings;
  #instance: DuckDBInstance | undefined;
  #broken = false;
  #closed = false;
  #users = 0;
  #idle: (() => void)[] = [];
  #opening: Promise<DuckDBInstance> | undefined;

  private constructor(settings: DuckDbSettings, instance: DuckDBInstance) {
    this.#settings = settings;
    this.#instance = instance;
  }

  static async open(settings: DuckDbSettings): Promise<Database> {
    return new Database(settings, await openInstance(settings));
  }

  /**
   * A connection of one's own, with what gives it back.
   * @throws StoreUnavailable when closed, or while it comes back
   */
  async connect(): Promise<{ readonly connection: DuckDBConnection; readonly release: () => void }> {
    const instance = await this.#current();
    this.#users += 1;
    try {
      const connection = await instance.connect();
      return {
        connection,
        release: () => {
          connection.closeSync();
          this.#leave();
        },
      };
    } catch (error) {
      this.#leave();
      throw error;
    }
  }

  /** Work on a connection of its own, which is closed afterwards. */
  async use<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    const { connection, release } = await this.connect();
    try {
      return await work(connection);
    } catch (error) {
      this.noteFault(error);
      throw error;
    } finally {
      release();
    }
  }

  /** Tells of a fault of a query, so that the database is opened anew where it has to be. */
  noteFault(error: unknown): void {
    if (isFatal(error)) this.#broken = true;
  }

  /** Waits for what runs. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#opening?.catch(() => undefined);
    if (this.#users > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
    this.#instance?.closeSync();
    this.#instance = undefined;
  }

  #leave(): void {
    this.#users -= 1;
    if (this.#users === 0) for (const done of this.#idle.splice(0)) done();
  }

  async #current(): Promise<DuckDBInstance> {
    if (this.#closed) throw new StoreUnavailable('the store is closed');
    if (!this.#broken && this.#instance !== undefined) return this.#instance;
    if (this.#users > 0) throw new StoreUnavailable('the embedded store is being opened anew after a fault');
    this.#opening ??= this.#reopen().finally(() => (this.#opening = undefined));
    return this.#opening;
  }

  async #reopen(): Promise<DuckDBInstance> {
    this.#instance?.closeSync();
    this.#instance = undefined;
    const instance = await openInstance(this.#settings);
    this.#instance = instance;
    this.#broken = false;
    this.#settings.logger?.warn('the embedded store was opened anew after a fault');
    return instance;
  }
}

async function openInstance({ dir, memoryMb, threads }: DuckDbSettings): Promise<DuckDBInstance> {
  const instance = await DuckDBInstance.create(join(dir, DATABASE_FILE), {
    memory_limit: `${String(memoryMb)}MB`,
    threads: String(threads),
    // Nothing is fetched from the network.
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    // Fewer, greater checkpoints: each rewrites the last row group of every column.
    checkpoint_threshold: '128MB',
    preserve_insertion_order: 'false',
  });
  const connection = await instance.connect();
  try {
    // Parts never change, so that what their footers say holds.
    await connection.run('SET GLOBAL parquet_metadata_cache = true');
    // No file but the database's own and the parts is read or written, whatever a statement says.
    await connection.run(`SET GLOBAL allowed_directories = ['${join(dir, PARTS_FOLDER, '/').replaceAll("'", "''")}']`);
    await connection.run('SET GLOBAL enable_external_access = false');
    await connection.run('SET GLOBAL lock_configuration = true');
  } finally {
    connection.closeSync();
  }
  return instance;
}
