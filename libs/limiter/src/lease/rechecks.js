/** A refusal that has longer to go than this, ms, is asked about meanwhile; and about so far apart the asks of one key are, whatever its rate. */
const RECHECK_MS = 5_000;
/**
 * When a refusal from memory is looked at again: permits may have come back on another node, by a refund, a settlement, a reset or a lease that
 * went unspent, and nothing tells this one (R9, R14, R24). A request asks with the probability of its key's pause over {@link RECHECK_MS}: always after
 * so long a pause, about once in that time when requests are many, and without anything to remember of the key.
 */
export class Rechecks {
    /** @param random from 0 to below 1. */
    constructor(random) {
        this.random = random;
    }
    /**
     * Whether the store is to be asked although it is known to refuse.
     * @param waitMs how long it is known to refuse.
     * @param pauseMs since the key was asked for before.
     */
    due(waitMs, pauseMs) {
        return waitMs > RECHECK_MS && pauseMs > 0 && this.random() * RECHECK_MS < pauseMs;
    }
}
//# sourceMappingURL=rechecks.js.map