import type { Counted, CounterStore, Heard, Heartbeat, MemoryStore, StoreFault } from '../../../src/index.js';
import { Remote } from '../../support/remote.js';

/** A line of one node to a shared store, which is reached by promises and tells of split counters. */
export class Line extends Remote {
  readonly spreads = true;

  constructor(private readonly shared: MemoryStore) {
    super(shared);
  }

  async heartbeat(beat: Heartbeat): Promise<Heard | StoreFault> {
    return this.fault ?? this.shared.heartbeat(beat);
  }

  usage(counters: readonly Counted[]): ReturnType<NonNullable<CounterStore['usage']>> {
    return this.shared.usage(counters);
  }

  claimMove(...args: Parameters<NonNullable<CounterStore['claimMove']>>): Promise<boolean | StoreFault> {
    return this.shared.claimMove(...args);
  }
}
