import { sharedClickHouse } from '@sluice/testkit';
import { openClickHouseStore } from '../../src/store/clickhouse/open-clickhouse-store.js';
import { storeContract } from '../store-contract/store-contract.js';
import { ifClickHouse } from './if-clickhouse.js';

ifClickHouse('the contract of stores', () => {
  storeContract('ClickHouse', async ({ retentionMs }) => {
    const database = await sharedClickHouse();
    if ('missing' in database) throw new Error(database.missing);
    let store = await openClickHouseStore({ url: database.url, retentionMs });
    return {
      get store() {
        return store;
      },
      reopen: async () => {
        await store.close();
        store = await openClickHouseStore({ url: database.url, retentionMs });
        return store;
      },
      discard: async () => {
        await store.close();
        await database.drop();
      },
    };
  });
});
