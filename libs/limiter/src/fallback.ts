import type { Outcome, Quota } from '@sluice/algorithms';
import type { Clock } from './clock.js';
import type { Fleet } from './fleet/fleet.js';
import { MemoryStore } from './store/memory-store.js';

/** This node's part of a quota, in a fleet of that size. */
interface Share {
  readonly fleetSize: number;
  readonly quota: Quota;
}

/**
 * Decides by itself while the store is away, for rules that prefer that to refusing (R41): each node admits its share of the
 * limit by the size of the fleet now, rounded down, so that the fleet together stays below it. A share below one permit still admits one a window: a node
 * cannot hold a fraction of a request.
 */
export class Fallback {
  private readonly store: MemoryStore;
  private readonly shares = new WeakMap<Quota, Share>();

  constructor(
    clock: Clock,
    private readonly fleet: Pick<Fleet, 'size'>,
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

  /** Beyond this node's share too (R14). */
  charge(key: string, quota: Quota, amount: number): Outcome {
    return this.store.chargeNow({ key, quota: this.shareOf(quota), amount });
  }

  /** Forgets some counters that are free again; outages end, and then nobody writes here any more. */
  tidy(steps: number): void {
    this.store.forget(steps);
  }

  private shareOf(quota: Quota): Quota {
    const { size } = this.fleet;
    const known = this.shares.get(quota);
    if (known?.fleetSize === size) return known.quota;
    const limit = Math.max(1, Math.floor(quota.limit / size));
    const burst = Math.max(1, Math.floor(quota.burst / size));
    const share = { fleetSize: size, quota: { ...quota, limit, burst } };
    this.shares.set(quota, share);
    return share.quota;
  }
}
