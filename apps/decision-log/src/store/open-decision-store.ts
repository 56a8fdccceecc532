import type { Logger } from '@sluice/platform';
import type { DecisionLogConfig } from '../config/decision-log-config.js';
import type { DecisionStore } from './decision-store.js';
import { openDuckDbStore } from './duckdb/open-duckdb-store.js';

/**
 * The store that the environment names: DuckDB in this process.
 *
 * @throws StartError for a folder that cannot be had
 */
export function openDecisionStore({ dataDir, retentionMs }: Pick<DecisionLogConfig, 'dataDir' | 'clickhouseUrl' | 'retentionMs'>, logger: Logger): Promise<DecisionStore> {
  return openDuckDbStore({ dir: dataDir, retentionMs, logger });
}
