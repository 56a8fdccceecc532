import type { Outcome, Quota } from '@sluice/algorithms';
import type { Clock } from './clock.js';
import { MemoryStore } from './store/memory-store.js';

/**
 * Decides by itself while the store is away, for rules that prefer that to refusing (R41): each node admits its share of the
 * limit, rounded down, so that the fleet together stays below it. A share below one permit still admits one a window: a node
 * cannot hold a fraction of a request.
 */
export class Fallback {
  private readonly store: MemoryStore;
  private readonly shares = new WeakMap<Quota, Quota>();

  constructor(
    clock: Clock,
    private readonly fleetSize: number,
    maxKeys: number,
  ) {
    this.store = new MemoryStore(clock, maxKeys);
  }

  get size(): number {
    return this.store.size;
  }

  take(key: string, quota: Quota, cost: number): Outcome {
    return this.store.takeNow({ key, quota: this.shareOf(quota), need: cost, want: cost, backAmount: 0, backBucket: 0 });
  }

  /** What {@link take} would answer. */
  peek(key: string, quota: Quota, cost: number): Outcome {
    return this.store.takeNow({ key, quota: this.shareOf(quota), need: cost, want: 0, backAmount: 0, backBucket: 0 });
  }

  /** The permits given back; 0 when they come too late. */
  giveBack(key: string, quota: Quota, amount: number, bucket: number): number {
    return this.store.giveBackNow({ key, quota: this.shareOf(quota), amount, bucket });
  }

  /** Forgets some counters that are free again; outages end, and then nobody writes here any more. */
  tidy(steps: number): void {
    this.store.forget(steps);
  }

  private shareOf(quota: Quota): Quota {
    let share = this.shares.get(quota);
    if (share === undefined) {
      const limit = Math.max(1, Math.floor(quota.limit / this.fleetSize));
      const burst = Math.max(1, Math.floor(quota.burst / this.fleetSize));
      share = { ...quota, limit, burst };
      this.shares.set(quota, share);
    }
    return share;
  }
}
