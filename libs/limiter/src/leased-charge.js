import { keyOf } from './counter-name.js';
/**
 * A charge from a local lease. Hardly any is ever refunded, so the counter's name, which costs more than the decision, is made when somebody
 * asks for it. `JSON.stringify` writes it out; a spread does not.
 */
export class LeasedCharge {
    constructor(terms, values, bucket, amount) {
        this.terms = terms;
        this.values = values;
        this.bucket = bucket;
        this.amount = amount;
    }
    get key() {
        return keyOf(this.terms, this.values);
    }
    get quota() {
        return this.terms.quota;
    }
    toJSON() {
        const { key, quota, bucket, amount } = this;
        return { key, quota, bucket, amount };
    }
}
//# sourceMappingURL=leased-charge.js.map