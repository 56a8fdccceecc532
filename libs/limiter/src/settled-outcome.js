import { AppliedOutcome } from './applied-outcome.js';
/** Any outcome but that of a lease: {@link LeasedOutcome} is that. */
export class SettledOutcome extends AppliedOutcome {
    /** @param waitMs of what is allowed the delay, of what is refused the time until it would pass, or NEVER. */
    constructor(applied, remaining, resetMs, reason, source, waitMs, charge) {
        super(applied, remaining, resetMs);
        this.reason = reason;
        this.source = source;
        this.waitMs = waitMs;
        this.charge = charge;
    }
    get allowed() {
        return this.reason === 'ok';
    }
    get retryMs() {
        return this.allowed ? 0 : this.waitMs;
    }
    get delayMs() {
        return this.allowed ? this.waitMs : 0;
    }
}
//# sourceMappingURL=settled-outcome.js.map