import type { DecisionStore } from '../store/decision-store.js';
import { StoreUnavailable } from '../store/store-faults.js';

const nothing = (): Promise<never> => Promise.reject(new StoreUnavailable('There is no store where only the document is made.'));

/** For the document, which is made without running anything. */
export const NO_STORE: DecisionStore = {
  write: nothing,
  find: nothing,
  aggregate: nothing,
  scan: () => ({ [Symbol.asyncIterator]: () => ({ next: nothing }) }),
  scanColumns: () => ({ [Symbol.asyncIterator]: () => ({ next: nothing }) }),
  tend: nothing,
  status: nothing,
  close: () => Promise.resolve(),
};
