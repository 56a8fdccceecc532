import { capacityOf, mulDivUp, type Quota } from '@sluice/algorithms';
import type { RequestAttributes } from '@sluice/rules';
import { newCounter, type Counter } from './counter.js';
import { counterMap, type CounterMap } from './counter-map.js';

/** Debt of charged denials is at most another capacity, which takes as long again to drain. */
const FULL_TWICE = 2;

/**
 * The counters of one rule, in two generations: what was not used for a whole period goes with the older one. A period is so long that such a counter is
 * wholly free, so forgetting it changes no answer, and memory follows the keys of two periods, not those of the range (R30).
 */
export class CounterTable {
  private young: CounterMap;
  private old: CounterMap;
  private periodMs = 0;
  private turnsAtMs = -Infinity;
  private turns = 0;
  private readonly met = new Set<Quota>();
  private latest: Quota | undefined;
  /** Counters that had to go before they were known to be free. */
  forgotten = 0;

  /** @param mostCounters that a generation may hold; beyond it the older one goes early, and what it held is counted in {@link forgotten} */
  constructor(
    private readonly names: readonly string[],
    private readonly mostCounters: number,
  ) {
    this.young = counterMap(names);
    this.old = counterMap(names);
  }

  get size(): number {
    return this.young.size + this.old.size;
  }

  find(attributes: RequestAttributes, quota: Quota, nowMs: number): Counter {
    this.moveOn(quota, nowMs);
    return this.young.get(attributes) ?? this.bringOver(attributes, nowMs);
  }

  /** Whether one that {@link find} gave before is what it would give now. */
  isCurrent(counter: Counter, quota: Quota, nowMs: number): boolean {
    this.moveOn(quota, nowMs);
    return counter.turn === this.turns;
  }

  private moveOn(quota: Quota, nowMs: number): void {
    if (quota !== this.latest) this.meet(quota, nowMs);
    if (nowMs >= this.turnsAtMs) this.turn(nowMs);
  }

  private bringOver(attributes: RequestAttributes, nowMs: number): Counter {
    if (this.young.size >= this.mostCounters) {
      this.forgotten += this.old.size;
      this.turn(nowMs);
    }
    const counter = this.old.get(attributes) ?? newCounter();
    counter.turn = this.turns;
    this.young.set(attributes, counter);
    return counter;
  }

  /** An override may drain more slowly than its rule does: what is there already has to live as long. */
  private meet(quota: Quota, nowMs: number): void {
    this.latest = quota;
    if (this.met.has(quota)) return;
    this.met.add(quota);
    const periodMs = freeAfterMs(quota);
    if (periodMs <= this.periodMs) return;
    this.periodMs = periodMs;
    this.turnsAtMs = Math.max(this.turnsAtMs, nowMs + periodMs);
  }

  private turn(nowMs: number): void {
    this.old = this.young;
    this.young = counterMap(this.names);
    this.turns += 1;
    this.turnsAtMs = nowMs + this.periodMs;
  }
}

/** After so long without use nothing is in use of a counter, whatever it held. */
function freeAfterMs(quota: Quota): number {
  const drainMs = mulDivUp(capacityOf(quota), quota.windowMs, quota.limit);
  return Math.min(Number.MAX_SAFE_INTEGER, FULL_TWICE * Math.max(drainMs, quota.windowMs) + 1);
}
