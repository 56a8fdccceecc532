import { StoreFault } from './store-fault.js';
import type { Trip } from './trip.js';

/** Trips that are over are let go when another one leaves, so that young ones die young; so many may stand in front of the first that is not. */
const COMPACT_FROM = 64;

/**
 * Gives up trips that take too long (R40). All may take equally long, so they stand in the order in which they left, and one timer waits
 * for the first: a timer for each would cost more than the rest of a call.
 */
export class Deadlines {
  private readonly queue: { readonly trip: Trip; readonly dueMs: number }[] = [];
  private first = 0;
  private armed = false;
  private timer: NodeJS.Timeout | undefined;

  /** @param gaveUp called after a trip was given up and its callers were told. */
  constructor(
    private readonly timeoutMs: number,
    private readonly gaveUp: (trip: Trip) => void,
  ) {}

  watch(trip: Trip): void {
    this.letGo();
    this.queue.push({ trip, dueMs: performance.now() + this.timeoutMs });
    if (!this.armed) this.arm(this.timeoutMs);
  }

  private arm(delayMs: number): void {
    this.armed = true;
    // What has arrived is read first: where the process itself was held up, the server is not to blame (R45).
    this.timer = setTimeout(() => setImmediate(() => this.look()), delayMs);
  }

  /** Gives up at once what is still in the air: a long timeout must not hold up the end of a process (R44). */
  close(): void {
    clearTimeout(this.timer);
    this.armed = false;
    for (const { trip } of this.queue.splice(0)) if (!trip.over) this.giveUp(trip);
    this.first = 0;
  }

  private letGo(): void {
    const { queue } = this;
    while (queue[this.first]?.trip.over === true) this.first += 1;
    if (this.first === queue.length) queue.length = 0;
    else if (this.first >= COMPACT_FROM) queue.splice(0, this.first);
    else return;
    this.first = 0;
  }

  private look(): void {
    this.armed = false;
    const nowMs = performance.now();
    let entry = this.queue[this.first];
    while (entry !== undefined && (entry.dueMs <= nowMs || entry.trip.over)) {
      this.first += 1;
      if (!entry.trip.over) this.giveUp(entry.trip);
      entry = this.queue[this.first];
    }
    this.letGo();
    if (entry !== undefined && !this.armed) this.arm(Math.ceil(entry.dueMs - nowMs));
  }

  private giveUp(trip: Trip): void {
    trip.expire(new StoreFault('timeout', `Redis did not answer within ${this.timeoutMs} ms`));
    this.gaveUp(trip);
  }
}
