import { algorithmFor, type Outcome } from '@sluice/algorithms';
import type { Clock } from '../clock.js';
import type { Fleet } from '../fleet/fleet.js';
import type { IdleWheel } from '../lease/idle-wheel.js';
import type { LeaseSizing } from '../lease/lease-sizing.js';
import type { Lease } from '../lease/lease.js';
import { sameQuota } from '../lease/terms.js';
import type { LimiterStats } from '../limiter-stats.js';
import type { CounterStore, Debit } from '../store/counter-store.js';
import { allowanceOf, isNear } from './allowance.js';
import { Credit } from './credit.js';
import { ReportSchedule } from './report-schedule.js';
import { Reports } from './reports.js';

/** Counters that a node admits on credit at a time; further ones are asked. While the store is away each one that was used stays. */
const MAX_CREDITS = 100_000;

export interface CreditsParts {
  readonly store: CounterStore;
  readonly clock: Clock;
  readonly fleet: Pick<Fleet, 'size' | 'isSettled'>;
  readonly sizing: LeaseSizing;
  readonly stats: LimiterStats;
  readonly wheel: Pick<IdleWheel, 'watch'>;
  /** Ceiling of an allowance where the rule names no `max_lease`. */
  readonly maxLease: number;
  /** Sends charged permits of a lease back. */
  readonly giveBack: (lease: Lease) => void;
  /** Whether the node had to forget counters to make room, and does not know which of them are still near their limit. */
  readonly forgetful: (nowMs: number) => boolean;
}

/**
 * Consistency `approximate` (R29): far from its limit a counter is not asked. The node admits what its allowance holds, and reports it afterwards,
 * off the request path; near the limit it leases as others do. docs/adr/0014-approximate.md has the bound and its proof.
 */
export class Credits {
  private readonly known = new Map<string, Credit>();
  private readonly schedule: ReportSchedule;
  private readonly reports: Reports;
  private closed = false;
  /** Until then a counter counts of which the node heard that it is near its limit when it had no place for it any more. */
  private missedUntilMs = -Infinity;

  constructor(private readonly parts: CreditsParts) {
    const { store, clock, stats } = parts;
    this.schedule = new ReportSchedule(clock.nowMs());
    this.reports = new Reports({ store, clock, stats, landed: (...report) => this.landed(...report) });
  }

  /** Lets a lease that lacks permits for this cost admit it on credit, if it may. */
  draw(lease: Lease, cost: number, nowMs: number): boolean {
    if (!lease.strategy.approximate || this.closed || lease.flying || lease.entry < 0) return false;
    const { credit } = lease;
    if (credit?.isOpen !== true) return this.open(lease, cost, nowMs) && lease.balance >= cost;
    if (!sameQuota(credit.quota, lease.quota) || !credit.draw()) return false;
    this.reports.push(credit);
    return lease.balance >= cost;
  }

  /** The lease is about to ask: it spends nothing on credit meanwhile, and the store hears of what was spent before it answers. */
  handOver(lease: Lease): void {
    const credit = lease.credit ?? (lease.strategy.approximate ? this.known.get(lease.key) : undefined);
    if (credit === undefined) return;
    credit.close();
    credit.quota = lease.quota;
    this.reports.send([credit]);
  }

  /**
   * Permits that were not spent after all: how many of them are owed no longer. None where the store has heard of these and what is owed is of
   * another bucket than theirs (R9). @param spentAtMs when they were spent; absent: some time ago.
   */
  takeBack(key: string, amount: number, bucket: number, spentAtMs = -Infinity): number {
    const credit = this.known.get(key);
    if (credit === undefined) return 0;
    const alike = credit.lease?.bucket === bucket && this.parts.clock.nowMs() < credit.bucketEndsAtMs;
    return alike || credit.holdsOf(spentAtMs) ? credit.takeBack(amount) : 0;
  }

  /** Permits of this counter that were admitted here and that no report has left with. */
  unreported(key: string): number {
    return this.known.get(key)?.unreported ?? 0;
  }

  /** A lease is to be retired: false while the answer to a report is to come, which has to be remembered. */
  release(lease: Lease): boolean {
    const { credit } = lease;
    if (credit === undefined) return true;
    credit.close();
    if (credit.unanswered > 0) return false;
    this.forget(credit);
    return true;
  }

  /** A lease lost its place; what it spent is reported all the same. */
  detach(lease: Lease): void {
    lease.credit?.detach();
    lease.credit = undefined;
  }

  /** The counter is being reset. */
  drop(key: string): void {
    const credit = this.known.get(key);
    if (credit === undefined) return;
    credit.detach();
    credit.writeOff();
    this.known.delete(key);
  }

  /** Called now and then: reports what is due, of about `steps` counters at most. */
  tick(nowMs: number, steps: number): void {
    for (const credit of this.schedule.take(nowMs, steps)) {
      if (this.known.get(credit.key) !== credit) continue;
      credit.look();
      this.writeOffStale(credit, nowMs);
      if (credit.unreported > 0) this.reports.push(credit);
      if (credit.isOpen || credit.unanswered > 0) {
        this.plan(credit, nowMs);
        continue;
      }
      this.forget(credit);
      // It could not be retired before.
      if (credit.lease !== undefined) this.parts.wheel.watch(credit.lease, nowMs);
    }
  }

  /** Reports everything and waits for it (R44); from then on nothing is admitted on credit. */
  async close(): Promise<void> {
    this.closed = true;
    for (const credit of this.known.values()) credit.close();
    await this.reports.drained();
    this.reports.send(this.known.values());
    await this.reports.drained();
    this.reports.stop();
    for (const credit of this.known.values()) this.parts.stats.unreported += credit.writeOff();
  }

  private open(lease: Lease, cost: number, nowMs: number): boolean {
    const { fleet, maxLease, giveBack, forgetful } = this.parts;
    const allowance = Math.min(allowanceOf(lease.quota, fleet.size), lease.rule.maxLease ?? maxLease);
    const known = this.known.get(lease.key);
    if (allowance - (known?.unanswered ?? 0) < cost || !fleet.isSettled) return false;
    const unseen = nowMs >= lease.resetAtMs;
    if (unseen ? lease.near || nowMs < this.missedUntilMs || forgetful(nowMs) : isNear(lease.quota, lease.storeRemaining + lease.balance, lease.near)) return false;
    if (known === undefined && this.known.size >= MAX_CREDITS) return false;
    if (lease.balance > 0) giveBack(lease);
    const credit = known ?? new Credit(lease.key, lease, lease.quota, nowMs);
    if (unseen) this.assumeUnused(lease, cost, nowMs);
    credit.bucketEndsAtMs = lease.endsAtMs;
    lease.credit = credit;
    credit.open(lease, allowance);
    this.parts.wheel.watch(lease, nowMs);
    if (known === undefined) {
      this.known.set(lease.key, credit);
      this.plan(credit, nowMs);
    }
    return true;
  }

  /** What the store would say of a counter that nobody has used. */
  private assumeUnused(lease: Lease, cost: number, nowMs: number): void {
    const { quota } = lease;
    const { outcome } = algorithmFor(quota.algorithm).take(undefined, quota, cost, cost, nowMs + this.parts.stats.storeOffsetMs);
    lease.storeRemaining = outcome.remaining + cost;
    lease.resetAtMs = nowMs + outcome.resetMs;
    lease.hold(outcome.bucket, nowMs + outcome.bucketEndsInMs);
  }

  private landed(credit: Credit, answer: Outcome | undefined, debit: Debit, sentAtMs: number): void {
    const { lease } = credit;
    // Without an answer it waits for its turn: an error that comes at once would come again and again.
    if (answer === undefined || this.closed) return;
    if (lease !== undefined) this.learn(credit, lease, answer, debit, sentAtMs);
    else this.miss(answer, debit);
    if (!credit.isOpen && credit.unreported > 0) this.reports.push(credit);
  }

  private learn(credit: Credit, lease: Lease, answer: Outcome, { quota }: Debit, sentAtMs: number): void {
    const { fleet, maxLease, stats } = this.parts;
    if (!sameQuota(lease.quota, quota)) return;
    const wasOpen = credit.isOpen;
    credit.close();
    lease.near = isNear(quota, answer.remaining, lease.near && !wasOpen);
    lease.storeRemaining = Math.max(0, answer.remaining - credit.unreported);
    lease.resetAtMs = answer.nowMs + answer.resetMs - stats.storeOffsetMs;
    if (!wasOpen) return;
    credit.bucketEndsAtMs = sentAtMs + answer.bucketEndsInMs;
    lease.hold(answer.bucket, credit.bucketEndsAtMs);
    if (lease.near || !lease.strategy.approximate) return;
    credit.open(lease, Math.min(allowanceOf(quota, fleet.size), lease.rule.maxLease ?? maxLease));
  }

  /** The counter of a report has lost its place: who asks for it next must not take it for unused when it is near its limit. */
  private miss(answer: Outcome, { quota }: Debit): void {
    if (!isNear(quota, answer.remaining, false)) return;
    this.missedUntilMs = Math.max(this.missedUntilMs, answer.nowMs + answer.resetMs - this.parts.stats.storeOffsetMs);
  }

  /** What was admitted so long ago that it does not count any more is not reported: the store was away (R42). */
  private writeOffStale(credit: Credit, nowMs: number): void {
    const { quota, spentAtMs } = credit;
    const horizonMs = quota.windowMs * Math.max(1, quota.burst / quota.limit);
    if (!credit.reporting && credit.unreported > 0 && nowMs - spentAtMs > horizonMs) this.parts.stats.unreported += credit.writeOff();
  }

  private plan(credit: Credit, nowMs: number): void {
    this.schedule.add(credit, nowMs + this.parts.sizing.intervalMs(credit.quota));
  }

  private forget(credit: Credit): void {
    this.known.delete(credit.key);
    if (credit.lease !== undefined) credit.lease.credit = undefined;
  }
}
