import type { CounterStore } from './counter-store.js';
/**
 * The same counters for one who only looks: peeks reach the store, everything that would change it does not, whatever a limiter on it is asked to do. Nor
 * is one who looks counted among the nodes that share each limit; which counters are split he hears nevertheless (R28). Closing it leaves the store open.
 */
export declare function observingStore(store: CounterStore): CounterStore;
