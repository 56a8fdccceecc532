import { StoreFault } from './store-fault.js';
/** What a failed call means: the store answered with an error, or could not be reached. */
export declare function toFault(reason: unknown): StoreFault;
