import type { Breakers } from './breakers.js';
import type { StoreFault } from './store-fault.js';

/** One call of a trip, as the trip sees it. */
export interface Aboard {
  /** The time is up: its caller is told so, unless it has heard already. */
  expire(fault: StoreFault): void;
}

/** Calls that leave for one server in one tick. One that is answered is a sign of life; only when none is has the trip failed. */
export class Trip {
  /** Let go when all have landed: the trip itself is remembered until its time is over. */
  private calls: Aboard[] = [];
  private out = 0;
  private answered = false;
  private fault: StoreFault | undefined;
  private left = false;

  constructor(
    private readonly breakers: Breakers,
    readonly server: string,
    /** One call that finds out whether the server is back; no second one may join it. */
    readonly probe: boolean,
  ) {}

  add(call: Aboard): void {
    this.calls.push(call);
    this.out += 1;
  }

  /** Nobody joins any more; false when every call has landed already. */
  leave(): boolean {
    this.left = true;
    if (this.out === 0) this.end();
    return this.out > 0;
  }

  /** A call of it was answered, or was not. */
  landed(answered: boolean, fault?: StoreFault): void {
    this.out -= 1;
    if (!answered) this.fault = fault;
    if (answered && !this.answered) {
      this.answered = true;
      this.breakers.succeeded(this.server);
    }
    if (this.out === 0 && this.left) this.end();
  }

  get over(): boolean {
    return this.out === 0;
  }

  expire(fault: StoreFault): void {
    for (const call of this.calls) call.expire(fault);
  }

  private end(): void {
    this.calls = [];
    if (!this.answered) this.breakers.failed(this.server, this.probe, this.fault);
  }
}
