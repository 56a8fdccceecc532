import { RedisCall } from './redis-call.js';
import type { StoreFault } from './store-fault.js';

/** A call of which functions hear. */
export class CallbackCall<T> extends RedisCall<T> {
  /** @param tooLate takes an answer that comes after the time is over; absent where that is worth nothing. */
  constructor(
    readonly answered: (answer: T | StoreFault) => void,
    private readonly tooLate?: (value: T) => void,
  ) {
    super();
  }

  protected override late(value: T): void {
    this.tooLate?.(value);
  }
}
