import { resolve } from 'node:path';
import type { Logger } from '@sluice/platform';

/** What the embedded store is opened with. */
export interface DuckDbStoreOptions {
  /** Folder of the store, made where it is missing: the database, and its Parquet parts below `decisions/`. */
  readonly dir: string;
  /** Events are kept for so long, by whole hours. */
  readonly retentionMs: number;
  readonly logger?: Logger;
  /** Wall clock; a fake one in tests. */
  readonly clock?: { nowMs(): number };
  /** Most that DuckDB takes, apart from what Node takes. Default 512. */
  readonly memoryMb?: number;
  /** Default 2. */
  readonly threads?: number;
  /** A query is cut off after so long. Default 20 s. */
  readonly queryTimeoutMs?: number;
  /**
   * A producer that nothing new came from for so long is forgotten; a repeat of its events after that would be stored again. It has to be longer than the
   * topic keeps its messages: Kafka's default is 7 days, this one's 8.
   */
  readonly producerMemoryMs?: number;
  /** Rows of one hour that are written out before the hour is over, so that the open table stays small. Default 2,000,000. */
  readonly openRows?: number;
}

export type DuckDbSettings = Required<Omit<DuckDbStoreOptions, 'logger'>> & Pick<DuckDbStoreOptions, 'logger'>;

/** The options with their defaults. */
export function duckDbSettings(options: DuckDbStoreOptions): DuckDbSettings {
  return {
    clock: { nowMs: () => Date.now() },
    memoryMb: 512,
    threads: 2,
    queryTimeoutMs: 20_000,
    producerMemoryMs: 8 * 86_400_000,
    openRows: 2_000_000,
    ...options,
    dir: resolve(options.dir),
  };
}
