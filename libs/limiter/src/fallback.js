import { MemoryStore } from './store/memory-store.js';
/**
 * Decides by itself while the store is away, for rules that prefer that to refusing (R41): each node admits its share of the
 * limit by the size of the fleet now, rounded down, so that the fleet together stays below it. A share below one permit still admits one a window: a node
 * cannot hold a fraction of a request.
 */
export class Fallback {
    constructor(clock, fleet, maxKeys) {
        this.fleet = fleet;
        this.shares = new WeakMap();
        this.store = new MemoryStore(clock, maxKeys);
    }
    get size() {
        return this.store.size;
    }
    take(key, quota, cost) {
        return this.store.takeNow({ key, quota: this.shareOf(quota), need: cost, want: cost, backAmount: 0, backBucket: 0 });
    }
    /** What {@link take} would answer. */
    peek(key, quota, cost) {
        return this.store.takeNow({ key, quota: this.shareOf(quota), need: cost, want: 0, backAmount: 0, backBucket: 0 });
    }
    /** The permits given back; 0 when they come too late. */
    giveBack(key, quota, amount, bucket) {
        return this.store.giveBackNow({ key, quota: this.shareOf(quota), amount, bucket });
    }
    /** Beyond this node's share too (R14). */
    charge(key, quota, amount) {
        return this.store.chargeNow({ key, quota: this.shareOf(quota), amount });
    }
    /** Forgets some counters that are free again; outages end, and then nobody writes here any more. */
    tidy(steps) {
        this.store.forget(steps);
    }
    shareOf(quota) {
        const { size } = this.fleet;
        const known = this.shares.get(quota);
        if (known?.fleetSize === size)
            return known.quota;
        const limit = Math.max(1, Math.floor(quota.limit / size));
        const burst = Math.max(1, Math.floor(quota.burst / size));
        const share = { fleetSize: size, quota: { ...quota, limit, burst } };
        this.shares.set(quota, share);
        return share.quota;
    }
}
//# sourceMappingURL=fallback.js.map