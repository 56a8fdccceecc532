import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { Bindings } from './bindings.js';
import { clickHouseAddress } from './clickhouse-address.js';
import { clickHouseFault } from './clickhouse-faults.js';
import type { ClickHouseSettings } from './clickhouse-store-options.js';

/** Said with each request. */
const ALWAYS = {
  // An insert is answered when it is written, whatever the server's default is.
  async_insert: 0,
  // A batch of a stream that was late may hold more days than the default lets it write.
  max_partitions_per_insert_block: '0',
  // Integers of events are below 2^53: JSON has them as they are.
  output_format_json_quote_64bit_integers: 0,
  // The partition follows from the sorting key, so that doubles of an event are in one partition.
  do_not_merge_across_partitions_select_final: 1,
  // Who asked is gone: stop reading.
  cancel_http_readonly_queries_on_client_close: 1,
} as const;

/** A row to be inserted, in the order of the columns. */
export type InsertRow = readonly (string | number | boolean | null)[];

/** Connections for each of writing and reading: scans and slow questions must not keep batches out. */
const WRITING = 4;
const READING = 64;

/** Speaks with one ClickHouse over HTTP. All that rejects is a `StoreUnavailable` or a `QueryTooLarge`, without credentials or data in it. */
export class ClickHouseSession {
  /** `host:port/database`. */
  readonly place: string;
  readonly database: string;
  readonly #reader: ClickHouseClient;
  readonly #writer: ClickHouseClient;
  readonly #querySeconds: number;

  constructor(settings: ClickHouseSettings, database = clickHouseAddress(settings.url).database) {
    this.database = database;
    this.place = `${clickHouseAddress(settings.url).host}/${database}`;
    this.#querySeconds = Math.max(1, Math.ceil(settings.queryTimeoutMs / 1000));
    this.#reader = client(settings, database, READING);
    this.#writer = client(settings, database, WRITING);
  }

  /** The rows of a query, as objects by the names of the columns. */
  async read<Row>(query: string, bindings = new Bindings()): Promise<Row[]> {
    return this.#run('query', async () => {
      const result = await this.#reader.query({ query, query_params: bindings.values, format: 'JSONEachRow', clickhouse_settings: { max_execution_time: this.#querySeconds } });
      return result.json<Row>();
    });
  }

  /** The rows of a query as they come, each the values in the order of the columns; ends the query when the caller stops. How long the caller takes is not counted. */
  async *stream<Value>(query: string, bindings: Bindings): AsyncGenerator<(readonly Value[])[]> {
    const rows = await this.#run('query', async () => {
      const result = await this.#reader.query({ query, query_params: bindings.values, format: 'JSONCompactEachRow', clickhouse_settings: { max_execution_time: 0 } });
      return result.stream<readonly Value[]>();
    });
    try {
      for await (const chunk of rows) yield chunk.map((row) => row.json());
    } catch (error) {
      throw this.#fault(error, 'query');
    } finally {
      rows.destroy();
    }
  }

  /** Durable when it resolves. */
  async insert(table: string, columns: readonly [string, ...string[]], values: readonly InsertRow[]): Promise<void> {
    await this.#run('write', () => this.#writer.insert({ table, columns: [...columns], values, format: 'JSONCompactEachRow' }));
  }

  /** A statement without rows: a table to be made, a partition to be dropped. */
  async command(query: string): Promise<void> {
    await this.#run('write', () => this.#writer.command({ query }));
  }

  /** Cuts what runs. */
  async close(): Promise<void> {
    await Promise.all([this.#reader.close(), this.#writer.close()]);
  }

  async #run<T>(doing: 'query' | 'write', work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw this.#fault(error, doing);
    }
  }

  #fault(error: unknown, doing: 'query' | 'write'): Error {
    return clickHouseFault(error, doing, this.place);
  }
}

function client({ url, idleTimeoutMs }: ClickHouseSettings, database: string, connections: number): ClickHouseClient {
  const { origin, username, password } = clickHouseAddress(url);
  return createClient({
    url: origin,
    username,
    password,
    database,
    application: 'sluice-decision-log',
    max_open_connections: connections,
    request_timeout: idleTimeoutMs,
    compression: { request: { codec: 'gzip', level: 1 }, response: true },
    clickhouse_settings: ALWAYS,
    // It would print queries with their values, and errors that are answered here.
    log: { level: ClickHouseLogLevel.OFF },
  });
}
