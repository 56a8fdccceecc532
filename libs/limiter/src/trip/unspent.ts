import type { Credits } from '../approximate/credits.js';
import type { IdleWheel } from '../lease/idle-wheel.js';
import type { Lease } from '../lease/lease.js';
import type { GiveBackQueue } from './give-back-queue.js';

/** Permits that nobody spent: they stay with the node while they are good, else they go back. */
export class Unspent {
  private closed = false;

  constructor(
    private readonly wheel: IdleWheel,
    private readonly returns: GiveBackQueue,
    private readonly credits: Pick<Credits, 'takeBack'>,
  ) {}

  /** From now on nothing is held (R44). */
  close(): void {
    this.closed = true;
  }

  /** To the lease while they are good, else back; what was admitted on credit is owed no longer (R29). @param spentAtMs when the node took them from what it held. */
  keep(lease: Lease, amount: number, bucket: number, nowMs: number, spentAtMs?: number): void {
    const rest = lease.strategy.approximate ? amount - this.credits.takeBack(lease.key, amount, bucket, spentAtMs) : amount;
    if (rest === 0) return;
    const holds = !this.closed && lease.strategy.leases && lease.credit?.isOpen !== true;
    if (holds && lease.putBack(rest, bucket, nowMs)) this.wheel.watch(lease, nowMs);
    else this.sendBack(lease, rest, bucket);
  }

  /** Sends what a lease holds back to the bucket that it was charged to. */
  returnBalance(lease: Lease): void {
    lease.credit?.close();
    if (lease.balance === 0) return;
    this.sendBack(lease, lease.balance, lease.bucket);
    lease.balance = 0;
  }

  private sendBack(lease: Lease, amount: number, bucket: number): void {
    this.returns.push({ key: lease.key, quota: lease.quota, amount, bucket });
    lease.makeRoom();
  }
}
