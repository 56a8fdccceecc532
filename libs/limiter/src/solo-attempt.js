import { granted, refused, storeAway } from './outcomes.js';
import { withoutStore } from './without-store.js';
/** A request to which one limit applies and that needs a trip: an attempt as most are, which has nobody to wait for or to give back to. */
export class SoloAttempt {
    constructor(parts, applied, lease, cost, snapshotVersion) {
        this.parts = parts;
        this.applied = applied;
        this.lease = lease;
        this.cost = cost;
        this.snapshotVersion = snapshotVersion;
    }
    /** At once where no trip has to be waited for. */
    start() {
        this.lease.pins += 1;
        this.parts.dispatcher.board(this.lease, this);
        return this.settled ?? new Promise((resolve) => (this.resolve = resolve));
    }
    land(landing) {
        const { parts, applied, lease, cost } = this;
        const nowMs = parts.clock.nowMs();
        // What the store is known to refuse it still refuses when it cannot be asked again.
        const knownMs = landing.kind === 'fault' && lease.strategy.leases ? lease.waitMs(cost, nowMs) : 0;
        let outcome;
        if (knownMs > 0)
            outcome = refused(applied, lease, 'local', cost, knownMs, nowMs);
        else if (landing.kind === 'fault')
            outcome = this.outcome(withoutStore(parts.fallback, lease, cost), 'fallback', nowMs);
        else
            outcome = this.outcome(landing, 'store', nowMs);
        lease.pins -= 1;
        this.settled = parts.decisions.ofOne(outcome, cost, nowMs, this.snapshotVersion);
        this.resolve?.(this.settled);
    }
    outcome(landing, source, nowMs) {
        const { applied, lease, cost } = this;
        if (landing?.kind === 'refused')
            return refused(applied, lease, source, cost, landing.retryMs, nowMs);
        if (landing?.kind !== 'granted')
            return storeAway(applied);
        const { bucket, delayMs } = landing;
        return granted(applied, lease, source, { key: lease.key, quota: lease.quota, bucket, amount: cost }, delayMs, nowMs);
    }
}
//# sourceMappingURL=solo-attempt.js.map