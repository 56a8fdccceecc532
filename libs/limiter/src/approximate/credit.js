/** Of an allowance so much is held back until the rest is used: whoever needs it makes the report go out, and need not wait for it. */
const RESERVE_SHARE = 0.5;
/**
 * What a node admits of one counter before it tells the store. While it is open, the lease's balance is permits that were charged nowhere: what is
 * missing of it was spent, and is owed to the store until a report of it was answered. Spent and not yet answered is never more than the
 * allowance, whatever comes: the bound of R29 rests on that.
 */
export class Credit {
    constructor(key, 
    /** Learns what the store answers; absent when the node has forgotten the counter. */
    holder, quota, nowMs) {
        this.key = key;
        this.holder = holder;
        /** From then on a report goes to another bucket than the lease's. */
        this.bucketEndsAtMs = 0;
        /** When a report was last sent, and when something was last found spent. */
        this.sentAtMs = 0;
        this.spentAtMs = 0;
        this.opened = false;
        /** Balance of the lease when it was last looked at. */
        this.exposed = 0;
        this.reserve = 0;
        this.owed = 0;
        this.sent = 0;
        this.quota = quota;
        this.toldAtMs = nowMs;
    }
    get lease() {
        return this.holder;
    }
    get isOpen() {
        return this.opened;
    }
    /** Permits admitted that no report has left with. */
    get unreported() {
        return this.owed + (this.holder !== undefined && this.opened ? this.exposed - this.holder.balance : 0);
    }
    /** Permits admitted of which the store is not known to know. */
    get unanswered() {
        return this.unreported + this.sent;
    }
    /** Lets the lease spend what the allowance leaves; anew after each answer. */
    open(lease, allowance) {
        this.close();
        this.holder = lease;
        this.quota = lease.quota;
        this.opened = true;
        const left = Math.max(0, allowance - this.unanswered);
        this.reserve = Math.min(left, Math.floor(allowance * RESERVE_SHARE));
        this.expose(left - this.reserve);
        lease.hold(lease.bucket, Infinity);
    }
    /** Adds what was held back; false when there is nothing. */
    draw() {
        if (this.reserve === 0)
            return false;
        const { reserve } = this;
        this.reserve = 0;
        this.expose(reserve);
        return true;
    }
    /** Nothing more is spent; what was, is still owed. */
    close() {
        const { holder } = this;
        if (holder === undefined || !this.opened)
            return;
        this.look();
        this.opened = false;
        this.reserve = 0;
        this.exposed = 0;
        holder.storeRemaining += holder.balance;
        holder.balance = 0;
        holder.hold(holder.bucket, this.bucketEndsAtMs);
    }
    /** Its lease has lost its place. */
    detach() {
        this.close();
        this.holder = undefined;
    }
    /** Notes what was spent since the last look. */
    look() {
        const { holder, unreported } = this;
        if (holder === undefined || !this.opened)
            return;
        if (unreported > this.owed)
            this.spentAtMs = holder.lastUsedMs;
        this.owed = unreported;
        this.exposed = holder.balance;
    }
    /** A report leaves; what it reports. */
    depart(nowMs) {
        this.look();
        const amount = this.owed;
        this.owed = 0;
        this.sent += amount;
        this.sentAtMs = nowMs;
        this.toldAtMs = nowMs;
        return amount;
    }
    /** A report is in the air. */
    get reporting() {
        return this.sent > 0;
    }
    /** A report was answered; or was not, so that it is owed again. */
    landed(amount, answered) {
        this.sent -= amount;
        if (!answered)
            this.owed += amount;
    }
    /** Whether permits that were spent at this instant are surely not in a report yet. */
    holdsOf(spentAtMs) {
        return spentAtMs > this.toldAtMs;
    }
    /** Permits that were not used after all, as far as no report has left with them: how many that is. */
    takeBack(amount) {
        const taken = Math.min(amount, this.unreported);
        this.look();
        this.owed -= taken;
        if (this.holder !== undefined && this.opened) {
            this.holder.balance += taken;
            this.exposed += taken;
        }
        return taken;
    }
    /** What is owed is not to be reported any more; how much that was. */
    writeOff() {
        this.look();
        const { owed } = this;
        this.owed = 0;
        return owed;
    }
    expose(permits) {
        const { holder } = this;
        if (holder === undefined)
            return;
        holder.storeRemaining = Math.max(0, holder.storeRemaining - permits);
        holder.balance += permits;
        this.exposed += permits;
    }
}
//# sourceMappingURL=credit.js.map