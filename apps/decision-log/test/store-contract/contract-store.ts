import type { DecisionStore } from '../../src/store/decision-store.js';

/** A store as the contract takes it: nothing in it at first, and nobody else's. */
export interface ContractStore {
  readonly store: DecisionStore;
  /** Closes it and opens what it holds again. */
  reopen(): Promise<DecisionStore>;
  /** Closes it, and takes away what it held. */
  discard(): Promise<void>;
}

/** Opens a new, empty store. */
export type OpenContractStore = (options: { readonly retentionMs: number }) => Promise<ContractStore>;
