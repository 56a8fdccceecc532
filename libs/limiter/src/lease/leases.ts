import type { AppliedRule, CompiledRule, RequestAttributes } from '@sluice/rules';
import { type Clock, every } from '../clock.js';
import { counterName, overflowName } from '../counter-name.js';
import type { Fallback } from '../fallback.js';
import type { LimiterStats } from '../limiter-stats.js';
import type { Dispatcher } from '../trip/dispatcher.js';
import { IDLE_MS, type IdleWheel } from './idle-wheel.js';
import { LeaseTable } from './lease-table.js';
import { Lease } from './lease.js';

/** Keys looked at in each tick of the timer, so that forgetting never pauses the requests. */
const STEPS_A_TICK = 2_000;

export interface LeasesParts {
  readonly clock: Clock;
  readonly dispatcher: Dispatcher;
  readonly wheel: IdleWheel;
  readonly stats: LimiterStats;
  readonly fallback: Fallback;
  /** Most keys that a node remembers; the least recently used go first, after their permits went back (R30). */
  readonly maxKeys: number;
  /** Before every counter's key. */
  readonly keyPrefix: string;
  /** Most keys of one rule; later ones share one counter (R11). */
  readonly maxKeysPerRule: number;
}

/** Finds or makes the lease of each counter that a request uses, and gives back what is not spent. */
export class Leases {
  private readonly table: LeaseTable;
  private readonly stopTicking: () => void;

  constructor(private readonly parts: LeasesParts) {
    this.table = new LeaseTable(parts.maxKeys, parts.clock.nowMs(), (lease) => parts.dispatcher.returnBalance(lease));
    this.stopTicking = every(parts.clock, IDLE_MS / 4, () => this.tick());
  }

  get size(): number {
    return this.table.size;
  }

  keysOf(rule: CompiledRule): number {
    return this.table.keysOf(rule);
  }

  /** The lease that serves this request under `applied`, marked as used. */
  of(applied: AppliedRule, attributes: RequestAttributes, cost: number, nowMs: number): Lease {
    const { rule, quota } = applied;
    const key = counterName(rule, attributes, this.parts.keyPrefix);
    const lease = this.table.get(key) ?? this.newcomer(key, applied);
    if (lease.quota !== quota || lease.rule !== rule) lease.adopt(rule, quota);
    lease.lastUsedMs = nowMs;
    lease.demand.record(cost, nowMs);
    return lease;
  }

  /** The lease of this request if there is one; does not count as use. */
  find(rule: CompiledRule, attributes: RequestAttributes): { readonly key: string; readonly lease: Lease | undefined } {
    const key = counterName(rule, attributes, this.parts.keyPrefix);
    const lease = this.table.get(key);
    if (lease === undefined && this.isFull(rule)) {
      const shared = overflowName(rule, this.parts.keyPrefix);
      return { key: shared, lease: this.table.get(shared) };
    }
    return { key, lease };
  }

  /** Permits came back to a counter: what was learnt of its dryness no longer holds. */
  refreshed(key: string): void {
    const lease = this.table.get(key);
    lease?.forgetDryness();
  }

  /** Drops the lease without giving anything back: its counter is being reset. Answers the counter's key. */
  forget(rule: CompiledRule, attributes: RequestAttributes): string {
    const { key, lease } = this.find(rule, attributes);
    if (lease !== undefined) {
      lease.balance = 0;
      this.table.delete(key);
    }
    return key;
  }

  /** Gives every unspent permit back and stops the timer; what is in the air goes back when it lands. */
  async close(): Promise<void> {
    this.stopTicking();
    await this.parts.dispatcher.close();
    for (const lease of this.table.values()) this.parts.dispatcher.returnBalance(lease);
  }

  private tick(): void {
    const { clock, wheel, fallback } = this.parts;
    const nowMs = clock.nowMs();
    wheel.turn(nowMs);
    this.table.tick(nowMs, STEPS_A_TICK);
    fallback.tidy(STEPS_A_TICK);
  }

  private newcomer(key: string, { rule, quota }: AppliedRule): Lease {
    if (!this.isFull(rule)) {
      const lease = new Lease(key, rule, quota);
      this.table.add(lease);
      return lease;
    }
    this.parts.stats.overflowed += 1;
    const shared = overflowName(rule, this.parts.keyPrefix);
    const known = this.table.get(shared);
    if (known !== undefined) return known;
    const lease = new Lease(shared, rule, quota);
    this.table.add(lease);
    return lease;
  }

  private isFull(rule: CompiledRule): boolean {
    return this.table.keysOf(rule) >= this.parts.maxKeysPerRule;
  }
}
