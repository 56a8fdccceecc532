import type { Trip } from './trip.js';
/**
 * Gives up trips that take too long (R40). All may take equally long, so they stand in the order in which they left, and one timer waits
 * for the first: a timer for each would cost more than the rest of a call.
 */
export declare class Deadlines {
    private readonly timeoutMs;
    private readonly gaveUp;
    private readonly queue;
    private first;
    private armed;
    private timer;
    /** @param gaveUp called after a trip was given up and its callers were told. */
    constructor(timeoutMs: number, gaveUp: (trip: Trip) => void);
    watch(trip: Trip): void;
    private arm;
    /** Gives up at once what is still in the air: a long timeout must not hold up the end of a process (R44). */
    close(): void;
    private letGo;
    private look;
    private giveUp;
}
