import { counterName, OVERFLOW, type CounterValues } from '../counter-name.js';
import type { Charge } from '../decision.js';
import { LeasedCharge } from '../leased-charge.js';
import { LIVE } from './entry-words.js';
import { Lease } from './lease.js';
import { LeaseState } from './lease-state.js';
import type { Segment } from './segment.js';
import type { Terms } from './terms.js';

/** Stands on the entry of the request at hand, and on the next one's after it: a local decision makes no lease object. */
export class LeaseCursor extends LeaseState {
  entry = -1;
  private values: CounterValues = OVERFLOW;

  /** @param values those of the request, or {@link OVERFLOW}. */
  place(entry: number, segment: Segment, base: number, terms: Terms, values: CounterValues): void {
    this.entry = entry;
    this.segment = segment;
    this.base = base;
    this.terms = terms;
    this.values = values;
  }

  /** The counter's name in the store; made anew each time. */
  get key(): string {
    return counterName(this.terms.rule.identity, this.values, this.terms.keyPrefix);
  }

  get isLive(): boolean {
    return this.has(LIVE);
  }

  /** Takes permits that are held. */
  spend(cost: number): Charge {
    this.balance -= cost;
    return new LeasedCharge(this.terms, this.values, this.bucket, cost);
  }

  /** A lease object of the same entry. */
  toLease(): Lease {
    return new Lease(this.entry, this.key, this.segment, this.base, this.terms);
  }
}
