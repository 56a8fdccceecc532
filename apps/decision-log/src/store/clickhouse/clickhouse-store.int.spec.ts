import { findClickHouse, sharedClickHouse } from '@sluice/testkit';
import { storeContract } from '../../../test/store-contract/store-contract.js';
import { openClickHouseStore } from './open-clickhouse-store.js';

const clickhouse = await findClickHouse();

if ('missing' in clickhouse) {
  describe('ClickHouse as a decision store', () => {
    it.skip(`is not tested: ${clickhouse.missing}`, () => undefined);
  });
} else {
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
}
