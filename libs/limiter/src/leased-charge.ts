import type { Quota } from '@sluice/algorithms';
import { keyOf, type CounterValues } from './counter-name.js';
import type { Charge } from './decision.js';
import type { Terms } from './lease/terms.js';

/**
 * A charge from a local lease. Hardly any is ever refunded, so the counter's name, which costs more than the decision, is made when somebody
 * asks for it. `JSON.stringify` writes it out; a spread does not.
 */
export class LeasedCharge implements Charge {
  constructor(
    private readonly terms: Terms,
    private readonly values: CounterValues,
    readonly bucket: number,
    readonly amount: number,
  ) {}

  get key(): string {
    return keyOf(this.terms, this.values);
  }

  get quota(): Quota {
    return this.terms.quota;
  }

  toJSON(): Charge {
    const { key, quota, bucket, amount } = this;
    return { key, quota, bucket, amount };
  }
}
