import { type CallEnd } from '@sluice/lua-scripts';
import { StoreFault } from './store-fault.js';
import type { Aboard, Trip } from './trip.js';
/** One call in the air: tells its caller once, with the answer or a fault. */
export declare class RedisCall<T> implements CallEnd<T>, Aboard {
    private readonly trip;
    private readonly answered;
    /** Takes an answer that comes after the time is over; absent where that is worth nothing. */
    private readonly late?;
    abandoned: boolean;
    private landed;
    constructor(trip: Trip, answered: (answer: T | StoreFault) => void, 
    /** Takes an answer that comes after the time is over; absent where that is worth nothing. */
    late?: ((value: T) => void) | undefined);
    resolved(value: T): void;
    rejected(reason: unknown): void;
    expire(fault: StoreFault): void;
    private land;
}
