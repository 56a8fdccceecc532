import { StartError } from '@sluice/platform';
import type { DecisionStore } from '../decision-store.js';
import { StoreUnavailable } from '../store-faults.js';
import { isAccessFault } from './clickhouse-faults.js';
import { ClickHouseStore } from './clickhouse-store.js';
import { clickHouseSettings, type ClickHouseStoreOptions } from './clickhouse-store-options.js';

/**
 * Opens the store on a ClickHouse (R81), and makes its tables there. A server that is away holds nothing up: the log says so, and the first call that reaches it makes them.
 * @throws StartError when the server does not let this user in, or not do what has to be done, or the URL cannot be read
 */
export async function openClickHouseStore(options: ClickHouseStoreOptions): Promise<DecisionStore> {
  const store = new ClickHouseStore(clickHouseSettings(options));
  try {
    await store.ready();
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    if (isAccessFault(error)) {
      await store.close();
      throw new StartError(error.message);
    }
    options.logger?.warn({ clickhouse: store.place, err: error }, 'ClickHouse is away: decisions wait in Kafka and questions are answered with 503 until it is back');
  }
  return store;
}
