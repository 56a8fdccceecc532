import type { CounterStore, GiveBack } from '../store/counter-store.js';
import { StoreFault } from '../store/store-fault.js';
import type { Credits } from './credits.js';
/** Gives back what requests were charged: what the store has not heard of is no longer owed, the rest is the store's to give. */
export declare class Refunds {
    private readonly store;
    private readonly credits;
    constructor(store: CounterStore, credits: Credits);
    /** Resolves to the permits given back for each entry; a fault only where nothing was. */
    giveBack(entries: readonly GiveBack[]): Promise<readonly (number | StoreFault)[]>;
}
