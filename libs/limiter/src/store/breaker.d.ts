/** What a server is known to do: `troubled` while trips failed that no other made up for, `open` while it is left alone. */
export type ServerState = 'fine' | 'troubled' | 'open';
/** Time, ms that only grow, and chance, from 0 to 1. */
export interface BreakerSources {
    readonly nowMs: () => number;
    readonly random: () => number;
}
/**
 * Keeps a node from asking a server that does not answer (R40): after some failed trips in a row none is made, but for one probe each
 * half second, and never a second one while that is in the air. A trip that succeeds makes up for one that failed, not for all: a server
 * that answers every other trip in time costs a whole wait for the rest. What was sent to a server that hangs may still run when it comes to,
 * so it is kept little: while trips fail, nothing is asked ahead of need (known failure 25).
 */
export declare class Breaker {
    private readonly sources;
    private failures;
    private probeAtMs;
    private probing;
    constructor(sources: BreakerSources);
    /** A probe that is due counts as `troubled`: it may be made. */
    get state(): ServerState;
    /** Enough trips failed. */
    get opened(): boolean;
    /** A trip is made now; true when it is a probe, which must end in {@link succeeded} or {@link failed}. */
    departs(): boolean;
    succeeded(): void;
    /** Of trips that were in the air when the breaker opened, none says more than that it is open. */
    failed(probe: boolean): void;
}
