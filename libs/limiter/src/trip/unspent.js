/** Permits that nobody spent: they stay with the node while they are good, else they go back. */
export class Unspent {
    constructor(wheel, returns, credits) {
        this.wheel = wheel;
        this.returns = returns;
        this.credits = credits;
        this.closed = false;
    }
    /** From now on nothing is held (R44). */
    close() {
        this.closed = true;
    }
    /** To the lease while they are good, else back; what was admitted on credit is owed no longer (R29). @param spentAtMs when the node took them from what it held. */
    keep(lease, amount, bucket, nowMs, spentAtMs) {
        const rest = lease.strategy.approximate ? amount - this.credits.takeBack(lease.key, amount, bucket, spentAtMs) : amount;
        if (rest === 0)
            return;
        const holds = !this.closed && lease.strategy.leases && lease.credit?.isOpen !== true;
        if (holds && lease.putBack(rest, bucket, nowMs))
            this.wheel.watch(lease, nowMs);
        else
            this.sendBack(lease, rest, bucket);
    }
    /** Sends what a lease holds back to the bucket that it was charged to. */
    returnBalance(lease) {
        lease.credit?.close();
        if (lease.balance === 0)
            return;
        this.sendBack(lease, lease.balance, lease.bucket);
        lease.balance = 0;
    }
    sendBack(lease, amount, bucket) {
        this.returns.push({ key: lease.key, quota: lease.quota, amount, bucket });
        lease.makeRoom();
    }
}
//# sourceMappingURL=unspent.js.map