import type { Quota } from '@sluice/algorithms';
import type { Lease } from '../lease/lease.js';
import type { LeasePlan } from '../lease/lease-sizing.js';
import type { Answer, Ask, AskEnd } from '../store/counter-store.js';
import type { Passenger } from './passenger.js';

/** Of a flight that has not taken off. */
const NO_PLAN: LeasePlan = { want: 0, paceMs: 0, lastCall: false, eases: false, jitterMs: 0 };

/** Whom a flight tells that it is back. */
export interface Tower {
  landed(flight: Flight, answer: Answer): void;
}

/** One trip to the store for one counter, shared by everybody who waits for it; what it asks for is known when it takes off. */
export class Flight implements Ask, AskEnd {
  readonly key: string;
  quota: Quota;
  need = 0;
  want = 0;
  backAmount = 0;
  backBucket = 0;
  /** What to do with the answer. */
  plan: LeasePlan = NO_PLAN;
  sentAtMs = 0;

  /** @param shared whether it holds up others of its counter; as the rule said when it was made, whatever it says on landing. */
  constructor(
    private readonly tower: Tower,
    readonly lease: Lease,
    readonly passengers: readonly Passenger[],
    readonly shared: boolean,
  ) {
    this.key = lease.key;
    this.quota = lease.quota;
  }

  answered(answer: Answer): void {
    this.tower.landed(this, answer);
  }

  /** Closes it to newcomers: it asks by the limit in force now. Answers the sum of what its passengers need. */
  close(): number {
    const { lease, passengers } = this;
    this.quota = lease.quota;
    if (this.shared) {
      lease.flying = true;
      lease.collecting = undefined;
    }
    let need = Number.MAX_SAFE_INTEGER;
    let sum = 0;
    for (const { cost } of passengers) {
      need = Math.min(need, cost);
      sum = Math.min(sum + cost, Number.MAX_SAFE_INTEGER);
    }
    this.need = need;
    return sum;
  }
}
