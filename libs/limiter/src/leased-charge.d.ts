import type { Quota } from '@sluice/algorithms';
import { type CounterValues } from './counter-name.js';
import type { Charge } from './decision.js';
import type { Terms } from './lease/terms.js';
/**
 * A charge from a local lease. Hardly any is ever refunded, so the counter's name, which costs more than the decision, is made when somebody
 * asks for it. `JSON.stringify` writes it out; a spread does not.
 */
export declare class LeasedCharge implements Charge {
    private readonly terms;
    private readonly values;
    readonly bucket: number;
    readonly amount: number;
    constructor(terms: Terms, values: CounterValues, bucket: number, amount: number);
    get key(): string;
    get quota(): Quota;
    toJSON(): Charge;
}
