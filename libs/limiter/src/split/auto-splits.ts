import type { Quota } from '@sluice/algorithms';
import { MIN_SHARD_PERMITS, type CompiledRule } from '@sluice/rules';
import { keyOf, sameValues, type CounterValues } from '../counter-name.js';
import type { LeaseCursor } from '../lease/lease-cursor.js';
import type { Terms } from '../lease/terms.js';
import type { TermsBook } from '../lease/terms-book.js';
import type { LimiterStats } from '../limiter-stats.js';
import type { Heard, SplitProposal, SplitsAsk } from '../store/counter-store.js';
import { ExpiringMap } from '../store/expiring-map.js';
import type { HotKeys } from './hot-keys.js';
import { MoveSchedule, type MoveScheduleParts } from './move-schedule.js';
import { shardsOf, type Split } from './split.js';
import { SplitPeriod } from './split-period.js';
import type { TripCounts } from './trip-counts.js';

/** Three beats and some: whoever does not miss three in a row hears in time. */
export const LEAD_MS = 3_500;
const HOLD_MS = 10_000;
/** Of all nodes together; each costs all of them some bytes a beat. */
const MOST_SPLITS = 64;
/** A shard has to hold some costs of the greatest size. */
const COSTS_A_SHARD = 4;
/** A split goes on while half of what began it is left. */
const STAYS_HOT = 0.5;
/** A counter that met a cost which fits into no shard is not split again for so long. */
const BAR_MS = 60_000;
/** A node says so with its next beats. */
const UNSPLIT_MS = 3_000;
const MOST_UNSPLIT = 1_000;

export interface AutoSplitsParts extends MoveScheduleParts {
  readonly book: TermsBook;
  readonly stats: LimiterStats;
  /** What was asked since the last beat. */
  readonly trips: TripCounts;
  readonly hotKeys: Required<HotKeys>;
}

/** A counter that this node has met in a split period. */
interface Met {
  readonly period: SplitPeriod;
  readonly values: CounterValues;
  terms: Terms;
  split: Split | undefined;
}

/**
 * Splits the counters that are hot, by themselves (R28). A node says with its heartbeat which counters take too much of its trips; the store keeps which
 * are split from when to when, and tells every node; at that moment by the store's clock all of them change over. Local decisions never look at this.
 */
export class AutoSplits {
  private readonly periods = new Map<string, SplitPeriod>();
  /** By the entry of the counter. */
  private readonly met = new Map<number, Met>();
  private readonly unsplit = new ExpiringMap<true>(MOST_UNSPLIT);
  private readonly moves: MoveSchedule;

  constructor(private readonly parts: AutoSplitsParts) {
    this.moves = new MoveSchedule(parts);
  }

  /** Counters that are split now. */
  get size(): number {
    const storeMs = this.storeMs(this.parts.clock.nowMs());
    return [...this.periods.values()].filter((period) => period.covers(storeMs)).length;
  }

  /** The parts of the counter that the cursor stands on, as far as this node has met it split. */
  of({ entry, values, terms }: LeaseCursor, nowMs: number): Split | undefined {
    const met = this.met.size === 0 ? undefined : this.met.get(entry);
    if (met === undefined || !sameValues(met.values, values) || met.terms.kind.counting !== terms.kind.counting) return undefined;
    if (!met.period.covers(this.storeMs(nowMs))) return undefined;
    if (met.terms !== terms) {
      met.terms = terms;
      met.split = this.splitOf(terms, met.period.shards);
    }
    return met.split;
  }

  /** The same of any counter, by its name: for what is not on the path of a request. */
  find(terms: Terms, values: CounterValues, nowMs: number): Split | undefined {
    if (this.periods.size === 0) return undefined;
    const period = this.periods.get(keyOf(terms, values));
    return period?.covers(this.storeMs(nowMs)) === true ? this.splitOf(terms, period.shards) : undefined;
  }

  /** A trip is due for the counter that the cursor stands on: whether it is split, which {@link of} says from now on. */
  meets(cursor: LeaseCursor, nowMs: number): boolean {
    if (this.periods.size === 0 || cursor.split !== undefined) return false;
    const { entry, values, terms, key } = cursor;
    const period = this.periods.get(key);
    if (period?.covers(this.storeMs(nowMs)) !== true) return false;
    const split = this.splitOf(terms, period.shards);
    if (split === undefined) return false;
    this.met.set(entry, { period, values, terms, split });
    this.moves.know(key, terms, nowMs);
    return true;
  }

  /** A cost came that fits into no shard: the counter has to be whole again. Answers how long that takes, ms. */
  unsplitFor({ key, entry }: LeaseCursor, nowMs: number): number {
    this.unsplit.put(key, true, nowMs + UNSPLIT_MS, nowMs);
    return Math.max(1, (this.met.get(entry)?.period.untilMs ?? 0) - this.storeMs(nowMs));
  }

  /** What this node has to say with its next beat. */
  ask(nowMs: number): SplitsAsk {
    return { key: this.parts.key, proposals: this.proposals(nowMs), leadMs: LEAD_MS, holdMs: HOLD_MS, barMs: BAR_MS, most: MOST_SPLITS };
  }

  hear({ counters, nowMs: storeMs }: NonNullable<Heard['splits']>): void {
    const gone = new Set(this.periods.keys());
    for (const { counter, shards, fromMs, untilMs } of counters) {
      gone.delete(counter);
      const known = this.periods.get(counter);
      if (known !== undefined && known.fromMs === fromMs) known.hear(untilMs, storeMs);
      else this.periods.set(counter, new SplitPeriod(counter, shards, fromMs, untilMs, storeMs));
    }
    for (const counter of gone) {
      this.periods.get(counter)?.hear(0, storeMs);
      this.periods.delete(counter);
    }
  }

  /** Called often: starts the moves that are due. Answers the counters of this node whose split is over. */
  tick(nowMs: number): readonly Met[] {
    const storeMs = this.storeMs(nowMs);
    this.moves.tick(this.periods.values(), storeMs);
    const over: Met[] = [];
    for (const [entry, met] of this.met) {
      if (met.period.covers(storeMs)) continue;
      this.met.delete(entry);
      over.push(met);
    }
    return over;
  }

  private proposals(nowMs: number): readonly SplitProposal[] {
    const { hotKeys, trips } = this.parts;
    const { counts, total, seconds } = trips.take(nowMs);
    const proposals: SplitProposal[] = [];
    for (const [counter, { trips: own, mostCost, terms }] of counts) {
      const period = this.periods.get(counter);
      const least = period === undefined ? 1 : STAYS_HOT;
      if (own < least * hotKeys.share * total || own / seconds < least * hotKeys.tripsPerSecond) continue;
      if (shardsOf(terms.rule, terms.whole) > 1 || this.unsplit.get(counter, nowMs) !== undefined) continue;
      const shards = period?.shards ?? this.shardsFor(terms.rule, terms.whole, mostCost);
      if (shards < 2) continue;
      proposals.push({ counter, shards });
      if (terms.shard === undefined) this.moves.know(counter, terms, nowMs);
    }
    for (const { period, terms } of this.met.values()) this.moves.know(period.counter, terms, nowMs);
    for (const counter of this.periods.keys()) if (this.unsplit.get(counter, nowMs) !== undefined) proposals.push({ counter, shards: 0 });
    return proposals;
  }

  private shardsFor(rule: CompiledRule, quota: Quota, mostCost: number): number {
    const most = Math.floor(Math.min(quota.limit, quota.burst) / Math.max(MIN_SHARD_PERMITS, COSTS_A_SHARD * mostCost));
    return shardsOf(rule, quota, Math.min(most, this.parts.hotKeys.shards));
  }

  private splitOf(terms: Terms, shards: number): Split | undefined {
    const of = shardsOf(terms.rule, terms.quota, shards);
    return of > 1 ? this.parts.book.splitOf(terms, of, terms.capacity) : undefined;
  }

  private storeMs(nowMs: number): number {
    return nowMs + this.parts.stats.storeOffsetMs;
  }
}
