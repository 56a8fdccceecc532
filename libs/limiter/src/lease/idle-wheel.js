const SLOT_MS = 25;
const SLOTS = 64;
/** Unspent permits of a key that was not used for so long go back (ARCHITECTURE, lease protocol). */
export const IDLE_MS = 200;
/**
 * Finds leases that ran out or fell idle: one timer for all keys, and only keys that were asked for lately are in it. A lease stands in
 * the slot of the moment at which it could be due; one that was used meanwhile moves on.
 */
export class IdleWheel {
    constructor(nowMs, acts) {
        this.acts = acts;
        this.slots = Array.from({ length: SLOTS }, () => []);
        this.tick = Math.floor(nowMs / SLOT_MS);
    }
    watch(lease, nowMs) {
        if (lease.watched)
            return;
        lease.watched = true;
        const idleAtMs = lease.lastUsedMs + IDLE_MS;
        const dueMs = lease.balance > 0 ? Math.min(lease.endsAtMs, idleAtMs) : idleAtMs;
        const tick = Math.max(Math.ceil(Math.max(dueMs, nowMs) / SLOT_MS), this.tick + 1);
        const slot = this.slots[Math.min(tick, this.tick + SLOTS - 1) % SLOTS];
        slot?.push(lease);
    }
    /** Looks at every slot up to now. */
    turn(nowMs) {
        const until = Math.floor(nowMs / SLOT_MS);
        if (until - this.tick > SLOTS)
            this.tick = until - SLOTS;
        while (this.tick < until) {
            this.tick += 1;
            for (const lease of this.taken(this.tick % SLOTS))
                this.look(lease, nowMs);
        }
    }
    /** Every lease is due: the node stops. */
    drain() {
        for (let at = 0; at < SLOTS; at += 1) {
            for (const lease of this.taken(at)) {
                lease.watched = false;
                this.acts.due(lease);
            }
        }
    }
    taken(at) {
        const slot = this.slots[at] ?? [];
        if (slot.length > 0)
            this.slots[at] = [];
        return slot;
    }
    look(lease, nowMs) {
        lease.watched = false;
        const idle = nowMs - lease.lastUsedMs >= IDLE_MS;
        if (lease.balance > 0 && (idle || nowMs >= lease.endsAtMs))
            this.acts.due(lease);
        if (idle && lease.pins === 0)
            this.acts.quiet(lease);
        else
            this.watch(lease, nowMs);
    }
}
//# sourceMappingURL=idle-wheel.js.map