import type { Logger } from '@sluice/platform';
import type { DecisionLogConfig } from '../config/decision-log-config.js';
import { openClickHouseStore } from './clickhouse/open-clickhouse-store.js';
import type { DecisionStore } from './decision-store.js';
import { openDuckDbStore } from './duckdb/open-duckdb-store.js';

/**
 * The store that the environment names: a ClickHouse, or DuckDB in this process.
 *
 * @throws StartError for a folder that cannot be had, and a ClickHouse that does not let this user in
 */
export function openDecisionStore({ dataDir, clickhouseUrl, retentionMs }: Pick<DecisionLogConfig, 'dataDir' | 'clickhouseUrl' | 'retentionMs'>, logger: Logger): Promise<DecisionStore> {
  return clickhouseUrl === undefined ? openDuckDbStore({ dir: dataDir, retentionMs, logger }) : openClickHouseStore({ url: clickhouseUrl, retentionMs, logger });
}
