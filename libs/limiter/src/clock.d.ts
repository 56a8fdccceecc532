/** The node's clock: integer ms since the epoch that never steps back. Injected, so that tests and the simulator own time. */
export interface Clock {
    nowMs(): number;
    /**
     * Calls `task` each `periodMs` until the function that it returns is called; must not keep the process alive. A clock without it
     * is followed by real timers.
     */
    every?(periodMs: number, task: () => void): () => void;
}
/** Anchored once to the wall clock, then monotonic: an adjusted system clock can neither revive nor kill a lease (R10). */
export declare function systemClock(): Clock;
/** {@link Clock.every}, by a real timer where the clock has none. */
export declare function every(clock: Clock, periodMs: number, task: () => void): () => void;
