/**
 * When a refusal from memory is looked at again: permits may have come back on another node, by a refund, a settlement, a reset or a lease that
 * went unspent, and nothing tells this one (R9, R14, R24). A request asks with the probability of its key's pause over {@link RECHECK_MS}: always after
 * so long a pause, about once in that time when requests are many, and without anything to remember of the key.
 */
export declare class Rechecks {
    private readonly random;
    /** @param random from 0 to below 1. */
    constructor(random: () => number);
    /**
     * Whether the store is to be asked although it is known to refuse.
     * @param waitMs how long it is known to refuse.
     * @param pauseMs since the key was asked for before.
     */
    due(waitMs: number, pauseMs: number): boolean;
}
