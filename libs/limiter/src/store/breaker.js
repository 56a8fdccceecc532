/** By how many the failed trips must exceed the others before no more are made. */
const OPEN_AFTER = 5;
/** How long until one call is made to see whether the server is back, ms; spread by +-25 %, so that a fleet does not knock in one instant. */
const PROBE_MS = 500;
/**
 * Keeps a node from asking a server that does not answer (R40): after some failed trips in a row none is made, but for one probe each
 * half second, and never a second one while that is in the air. A trip that succeeds makes up for one that failed, not for all: a server
 * that answers every other trip in time costs a whole wait for the rest. What was sent to a server that hangs may still run when it comes to,
 * so it is kept little: while trips fail, nothing is asked ahead of need (known failure 25).
 */
export class Breaker {
    constructor(sources) {
        this.sources = sources;
        this.failures = 0;
        this.probeAtMs = 0;
        this.probing = false;
    }
    /** A probe that is due counts as `troubled`: it may be made. */
    get state() {
        if (this.failures === 0)
            return 'fine';
        if (!this.opened)
            return 'troubled';
        return this.probing || this.sources.nowMs() < this.probeAtMs ? 'open' : 'troubled';
    }
    /** Enough trips failed. */
    get opened() {
        return this.failures >= OPEN_AFTER;
    }
    /** A trip is made now; true when it is a probe, which must end in {@link succeeded} or {@link failed}. */
    departs() {
        this.probing ||= this.opened;
        return this.probing;
    }
    succeeded() {
        this.failures = this.opened ? 0 : Math.max(0, this.failures - 1);
        this.probing = false;
    }
    /** Of trips that were in the air when the breaker opened, none says more than that it is open. */
    failed(probe) {
        if (this.opened && !probe)
            return;
        this.failures += 1;
        this.probing = false;
        if (this.opened)
            this.probeAtMs = this.sources.nowMs() + PROBE_MS * (0.75 + 0.5 * this.sources.random());
    }
}
//# sourceMappingURL=breaker.js.map