import type { Logger } from '@sluice/platform';

/** What the store on a ClickHouse is opened with. */
export interface ClickHouseStoreOptions {
  /** `http(s)://user:password@host:8123/database`; without a user `default`, without a database `default`. */
  readonly url: string;
  /** Events are kept for so long, by whole days. */
  readonly retentionMs: number;
  readonly logger?: Logger;
  /** Wall clock; a fake one in tests. */
  readonly clock?: { nowMs(): number };
  /** A query is given up by the server after so long. Default 20 s. */
  readonly queryTimeoutMs?: number;
  /** A connection on which nothing comes for so long is given up. Default 10 s more than a query may take. */
  readonly idleTimeoutMs?: number;
  /** A producer that nothing new came from for so long is no longer remembered. Default 8 days, one more than Kafka keeps messages by default. */
  readonly producerMemoryMs?: number;
}

export type ClickHouseSettings = Required<Omit<ClickHouseStoreOptions, 'logger'>> & Pick<ClickHouseStoreOptions, 'logger'>;

/** The options with their defaults. */
export function clickHouseSettings(options: ClickHouseStoreOptions): ClickHouseSettings {
  const { queryTimeoutMs = 20_000 } = options;
  return {
    clock: { nowMs: () => Date.now() },
    queryTimeoutMs,
    idleTimeoutMs: queryTimeoutMs + 10_000,
    producerMemoryMs: 8 * 86_400_000,
    ...options,
  };
}
