import type { StoreFault } from './store-fault.js';
/** What a store answers to so many questions. One that rejects or throws, against its contract, has answered each with a fault (R41). */
export declare function answersOf<T>(questions: number, send: () => Promise<readonly T[]>): Promise<readonly (T | StoreFault)[]>;
