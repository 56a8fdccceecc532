import { AppliedOutcome } from './applied-outcome.js';
import { LeasedCharge } from './leased-charge.js';
import { unboxed } from './unboxed.js';
/** Admitted from permits that the node holds, as nearly every request is. */
export class LeasedOutcome extends AppliedOutcome {
    constructor(applied, remaining, resetMs, terms, values, bucket, amount) {
        super(applied, remaining, resetMs);
        this.terms = terms;
        this.values = values;
        this.amount = amount;
        this.bucket = unboxed(bucket);
    }
    get allowed() {
        return true;
    }
    get reason() {
        return 'ok';
    }
    get source() {
        return 'local';
    }
    get retryMs() {
        return 0;
    }
    get delayMs() {
        return 0;
    }
    get charge() {
        return new LeasedCharge(this.terms, this.values, this.bucket, this.amount);
    }
}
//# sourceMappingURL=leased-outcome.js.map