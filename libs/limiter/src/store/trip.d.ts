import type { Breakers } from './breakers.js';
import type { StoreFault } from './store-fault.js';
/** One call of a trip, as the trip sees it. */
export interface Aboard {
    /** The time is up: its caller is told so, unless it has heard already. */
    expire(fault: StoreFault): void;
}
/** Calls that leave for one server in one tick. One that is answered is a sign of life; only when none is has the trip failed. */
export declare class Trip {
    private readonly breakers;
    private readonly server;
    /** One call that finds out whether the server is back; no second one may join it. */
    readonly probe: boolean;
    /** Let go when all have landed: the trip itself is remembered until its time is over. */
    private calls;
    private out;
    private answered;
    private fault;
    private left;
    constructor(breakers: Breakers, server: string, 
    /** One call that finds out whether the server is back; no second one may join it. */
    probe: boolean);
    add(call: Aboard): void;
    /** Nobody joins any more; false when every call has landed already. */
    leave(): boolean;
    /** A call of it was answered, or was not. */
    landed(answered: boolean, fault?: StoreFault): void;
    get over(): boolean;
    expire(fault: StoreFault): void;
    private end;
}
