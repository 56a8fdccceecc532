import { isAboutKeys, type CallEnd } from '@sluice/lua-scripts';
import { StoreFault } from './store-fault.js';
import { toFault } from './to-fault.js';
import type { Aboard, Trip } from './trip.js';

/** One call in the air: tells its caller once, with the answer or a fault. */
export class RedisCall<T> implements CallEnd<T>, Aboard {
  abandoned = false;
  private landed = false;

  constructor(
    private readonly trip: Trip,
    private readonly answered: (answer: T | StoreFault) => void,
    /** Takes an answer that comes after the time is over; absent where that is worth nothing. */
    private readonly late?: (value: T) => void,
  ) {}

  resolved(value: T): void {
    if (this.landed) this.late?.(value);
    else this.land(true, value);
  }

  rejected(reason: unknown): void {
    // What is wrong with these keys alone says nothing about the server.
    if (!this.landed) this.land(isAboutKeys(reason), toFault(reason));
  }

  expire(fault: StoreFault): void {
    this.abandoned = true;
    this.land(false, fault);
  }

  private land(alive: boolean, answer: T | StoreFault): void {
    if (this.landed) return;
    this.landed = true;
    this.trip.landed(alive, answer instanceof StoreFault ? answer : undefined);
    this.answered(answer);
  }
}
