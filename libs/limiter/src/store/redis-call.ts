import { isAboutKeys, type CallEnd } from '@sluice/lua-scripts';
import { StoreFault } from './store-fault.js';
import { toFault } from './to-fault.js';
import type { Aboard, Trip } from './trip.js';

/** One call in the air: its caller hears once, of the answer or of a fault. */
export abstract class RedisCall<T> implements CallEnd<T>, Aboard {
  abandoned = false;
  private landed = false;
  private trip: Trip | undefined;

  abstract answered(answer: T | StoreFault): void;

  /** An answer that comes after the time is over. */
  protected late?(value: T): void;

  board(trip: Trip): void {
    this.trip = trip;
    trip.add(this);
  }

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
    this.trip?.landed(alive, answer instanceof StoreFault ? answer : undefined);
    this.answered(answer);
  }
}
