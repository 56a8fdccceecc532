import type { Outcome, Quota } from '@sluice/algorithms';
import { NEVER } from '@sluice/algorithms';
import type { CompiledRule } from '@sluice/rules';
import type { Passenger } from '../trip/passenger.js';
import { Demand } from './demand.js';
import { type Strategy, strategyOf } from './strategy.js';

/** Below this limit 2 % is less than one permit, so pacing by T would refuse falsely: such a key waits exactly as long as the store says (R24). */
const PACED_FROM_LIMIT = 50;

/** Whether two quotas of one counter mean the same; a snapshot re-sent brings new objects with the same numbers. */
export function sameQuota(a: Quota, b: Quota): boolean {
  return a.limit === b.limit && a.burst === b.burst && a.chargeDenied === b.chargeDenied && a.shape === b.shape;
}

/** What a lease can say without asking the store. */
export type Standing = 'held' | 'dry' | 'ask';

/**
 * What a node knows of one counter: the permits it took and has not spent, how long they are good, and until when the store
 * is known to refuse. All times are the node's clock, ms.
 */
export class Lease {
  readonly demand = new Demand();
  balance = 0;
  bucket = 0;
  /** Permits are good before this instant: never beyond the bucket they were charged to (R23). */
  endsAtMs = 0;
  /** A cost of `dryNeed` is refused from memory until `dryUntilMs`, a greater one up to `wideNeed` until `wideUntilMs`: each waits for long enough. */
  private dryNeed = 1;
  private dryUntilMs = 0;
  private wideNeed = 0;
  private wideUntilMs = 0;
  /** What the store had left when it last answered, and when it will be wholly free. */
  storeRemaining: number;
  resetAtMs = 0;
  lastUsedMs = 0;
  /** Whether a trip is in the air, and who waits for the one after it (R22). */
  flying = false;
  collecting: Passenger[] | undefined;
  strategy: Strategy;
  /** Waits in the idle wheel already. */
  watched = false;

  constructor(
    readonly key: string,
    public rule: CompiledRule,
    public quota: Quota,
  ) {
    this.storeRemaining = quota.burst;
    this.strategy = strategyOf(rule);
  }

  standing(cost: number, nowMs: number): Standing {
    if (this.balance >= cost && nowMs < this.endsAtMs) return 'held';
    // Unspent permits that ran out go back with the next ask, and the store can grant again what it was dry of.
    if (this.balance > 0 && nowMs >= this.endsAtMs) return 'ask';
    return this.waitMs(cost, nowMs) > 0 ? 'dry' : 'ask';
  }

  /** How long the store is known to refuse this cost, ms; 0 when that is not known. A greater cost may have to wait for longer. */
  waitMs(cost: number, nowMs: number): number {
    if (cost === this.dryNeed && nowMs < this.dryUntilMs) return this.dryUntilMs - nowMs;
    const known = nowMs < this.dryUntilMs && cost > this.dryNeed;
    return known && cost <= this.wideNeed && nowMs < this.wideUntilMs ? this.wideUntilMs - nowMs : 0;
  }

  /** Permits came back, or the quota is another: the store may grant again. */
  forgetDryness(): void {
    this.dryUntilMs = 0;
    this.wideUntilMs = 0;
  }

  /** Permits this node can see: its own, and what the store had left. A hint (R70). */
  remainingHint(nowMs: number): number {
    const held = nowMs < this.endsAtMs ? this.balance : 0;
    const known = nowMs < this.resetAtMs ? held + this.storeRemaining : this.quota.burst;
    return Math.min(known, this.quota.burst);
  }

  /** Takes up what the store answered to an ask of (need, want) sent at `sentAtMs`; the grant itself is the flight's to share out. */
  learn(outcome: Outcome, need: number, want: number, paceMs: number, sentAtMs: number, nowMs: number, storeOffsetMs: number): void {
    this.storeRemaining = outcome.remaining;
    // By the store's clock, so that a window that ends on the second is said to end on it.
    this.resetAtMs = outcome.nowMs + outcome.resetMs - storeOffsetMs;
    this.bucket = outcome.bucket;
    this.endsAtMs = sentAtMs + outcome.bucketEndsInMs;
    // Also a grant in full may leave less than the next one needs, and says until when.
    if (outcome.retryMs === NEVER || outcome.remaining >= need) {
      this.forgetDryness();
      return;
    }
    const paced = outcome.granted < want && this.quota.limit >= PACED_FROM_LIMIT;
    const untilMs = nowMs + Math.ceil(paced ? Math.max(outcome.retryMs, paceMs) : outcome.retryMs);
    if (nowMs < this.dryUntilMs && need > this.dryNeed) {
      this.wideNeed = need;
      this.wideUntilMs = Math.max(untilMs, this.dryUntilMs);
    } else {
      this.dryNeed = need;
      this.dryUntilMs = untilMs;
    }
  }

  /**
   * Takes up the rule in force. Under another quota nothing learnt before holds, and unspent permits go back with the next ask;
   * the same quota re-sent changes nothing (R61).
   */
  adopt(rule: CompiledRule, quota: Quota): void {
    const same = sameQuota(this.quota, quota);
    this.rule = rule;
    this.strategy = strategyOf(rule);
    this.quota = quota;
    if (same) return;
    this.forgetDryness();
    this.endsAtMs = 0;
    this.storeRemaining = 0;
  }

  /** Puts permits of a refused request back; false when their bucket is over, so that they have to go back to the store. */
  putBack(amount: number, bucket: number, nowMs: number): boolean {
    if (bucket !== this.bucket || nowMs >= this.endsAtMs) return false;
    this.balance += amount;
    return true;
  }
}
