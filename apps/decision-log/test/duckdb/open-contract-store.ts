import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DecisionStore } from '../../src/store/decision-store.js';
import { openDuckDbStore } from '../../src/store/duckdb/open-duckdb-store.js';
import type { ContractStore, OpenContractStore } from '../store-contract/contract-store.js';

/** The embedded store in a folder of its own. */
export const openContractStore: OpenContractStore = async (options) => {
  const dir = join(await mkdtemp(join(tmpdir(), 'sluice-decisions-')), 'store');
  let store = await openDuckDbStore({ dir, ...options });
  return {
    get store(): DecisionStore {
      return store;
    },
    async reopen() {
      await store.close();
      store = await openDuckDbStore({ dir, ...options });
      return store;
    },
    async discard() {
      await store.close();
      await rm(join(dir, '..'), { recursive: true, force: true });
    },
  } satisfies ContractStore;
};
