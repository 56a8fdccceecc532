import { keyOf, type CounterValues } from '../counter-name.js';
import type { LeaseCursor } from '../lease/lease-cursor.js';
import type { Lease } from '../lease/lease.js';
import type { Rechecks } from '../lease/rechecks.js';
import type { RefreshedKeys } from '../lease/refreshed-keys.js';
import type { Terms } from '../lease/terms.js';
import { Generations } from './generations.js';
import type { AutoSplits } from './auto-splits.js';
import type { Split } from './split.js';
import { SplitState } from './split-state.js';

/** As long as the table remembers a counter at least. */
const REMEMBER_MS = 60_000;
/** Of more split counters that are busy at once some go back to their home, and say too much is left (R30): some 0.3 to 1.3 kB each. */
const MOST_STATES = 20_000;

/** The table of counters, as far as split ones need it. */
export interface Places {
  readonly refreshedKeys: RefreshedKeys;
  /** Counters that are split by themselves. */
  readonly auto: AutoSplits | undefined;
  newCursor(terms: Terms): LeaseCursor;
  /** Stands on the entry of a counter, if it has one. */
  seek(cursor: LeaseCursor, terms: Terms, values: CounterValues): boolean;
  /** Stands on the entry of a counter, a new one if need be. */
  stand(cursor: LeaseCursor, terms: Terms, values: CounterValues, nowMs: number): void;
  leaseOf(cursor: LeaseCursor): Lease;
}

/**
 * Finds the shard of a split counter that serves a request (R28). A node's trips go to its home; when that is dry to the next that is not known
 * to be, and there they stay. The entry of the counter as a whole, its anchor, counts the demand and remembers until when all shards are dry.
 */
export class Shards {
  private readonly states = new Generations<SplitState>(REMEMBER_MS, MOST_STATES);
  /** One for each limit of a request, on the shard that serves it. */
  private readonly cursors: LeaseCursor[] = [];
  private scratch: LeaseCursor | undefined;
  private anchor: LeaseCursor | undefined;

  /** @param homeOf this node's place among so many shards. */
  constructor(
    private readonly places: Places,
    private readonly homeOf: (shards: number) => number,
    private readonly rechecks: Rechecks,
  ) {}

  /** Whether a request at hand stands on the entry. */
  keeps(entry: number, limits: number): boolean {
    for (let at = 0; at < limits; at += 1) if (this.cursors[at]?.entry === entry) return true;
    return false;
  }

  tick(nowMs: number): void {
    this.states.tick(nowMs);
  }

  stateOf({ entry, terms }: LeaseCursor, split: Split): SplitState {
    const known = this.states.get(entry);
    const home = this.homeOf(split.shards.length);
    if (known !== undefined && (known.split === split || known.adopt(terms, split))) {
      known.settle(home);
      return known;
    }
    const state = new SplitState(terms, split, home);
    this.states.set(entry, state);
    return state;
  }

  /**
   * Stands on the shard that serves the request under its limit number `at`; on the anchor itself while that holds permits of its own, or knows that
   * all shards are dry. Good until the next request.
   */
  pick(at: number, anchor: LeaseCursor, split: Split, cost: number, nowMs: number): LeaseCursor {
    const { values } = anchor;
    const state = this.stateOf(anchor, split);
    anchor.split = state;
    if (!this.places.refreshedKeys.isEmpty) this.refresh(anchor, split);
    if (cost > split.least && cost <= anchor.terms.capacity) {
      const waitMs = this.places.auto?.unsplitFor(anchor, nowMs) ?? 0;
      if (waitMs > 0) anchor.refuse(cost, nowMs + waitMs, nowMs);
    }
    if (anchor.terms.strategy.leases && this.decides(anchor, cost, nowMs)) {
      state.held = anchor;
      return anchor;
    }
    const found = this.choose(state, values, cost, nowMs);
    if (found < 0) state.saturated = split.paced;
    const terms = split.shards[found < 0 ? -1 - found : found] ?? anchor.terms;
    const cursor = (this.cursors[at] ??= this.places.newCursor(terms));
    this.places.stand(cursor, terms, values, nowMs);
    cursor.use(cost, nowMs);
    cursor.serveDemandOf(anchor);
    cursor.split = state;
    state.held = cursor;
    return cursor;
  }

  /** Whether the anchor says what becomes of a cost; else a shard does. */
  private decides(anchor: LeaseCursor, cost: number, nowMs: number): boolean {
    const standing = anchor.standing(cost, nowMs);
    return standing === 'held' || (standing === 'dry' && !this.rechecks.due(anchor.waitMs(cost, nowMs), anchor.pauseMs));
  }

  /**
   * The shard for a cost: the current one unless that is dry, else one that holds permits, else the first after it that is not dry. When all are
   * dry, -1 minus the one with the shortest wait.
   */
  choose(state: SplitState, values: CounterValues, cost: number, nowMs: number, tried?: ReadonlySet<number>): number {
    const { shards } = state.split;
    let asks = -1;
    let asksDryMs = Infinity;
    let shortest = state.current;
    let shortestMs = Infinity;
    for (let step = 0; step < shards.length; step += 1) {
      const at = (state.current + step) % shards.length;
      const cursor = this.standingOn(shards[at], values);
      const waitMs = tried?.has(at) === true ? Infinity : (cursor?.waitMs(cost, nowMs) ?? 0);
      if (waitMs > 0 && cursor?.standing(cost, nowMs) !== 'held') {
        if (waitMs < shortestMs) [shortest, shortestMs] = [at, waitMs];
        continue;
      }
      if (cursor?.standing(cost, nowMs) === 'held' || (step === 0 && !state.saturated)) return at;
      // Of those that could be asked the one that was asked longest ago has the most to give, which matters only when there is little.
      const dryMs = state.saturated ? (cursor?.dryUntilMs(nowMs) ?? 0) : 0;
      if (dryMs < asksDryMs) [asks, asksDryMs] = [at, dryMs];
    }
    return asks >= 0 ? asks : -1 - shortest;
  }

  /** The lease of a shard, for a trip. */
  leaseOf(state: SplitState, terms: Terms, values: CounterValues, nowMs: number): Lease {
    const cursor = (this.scratch ??= this.places.newCursor(terms));
    this.places.stand(cursor, terms, values, nowMs);
    cursor.split = state;
    cursor.use(0, nowMs);
    const anchor = this.anchorOf(state.terms, values);
    if (anchor !== undefined) cursor.serveDemandOf(anchor);
    return this.places.leaseOf(cursor);
  }

  /** Shortest wait over all shards for a cost, ms; `otherwiseMs` where none is known. */
  shortestWaitMs(split: Split, values: CounterValues, cost: number, nowMs: number, otherwiseMs: number): number {
    let shortestMs = Infinity;
    for (const terms of split.shards) {
      const waitMs = this.standingOn(terms, values)?.waitMs(cost, nowMs) ?? 0;
      if (waitMs > 0) shortestMs = Math.min(shortestMs, waitMs);
    }
    return shortestMs < Infinity ? shortestMs : otherwiseMs;
  }

  /** Stands on the anchor of a split counter; undefined when it has been forgotten. */
  anchorOf(terms: Terms, values: CounterValues): LeaseCursor | undefined {
    const cursor = (this.anchor ??= this.places.newCursor(terms));
    return this.places.seek(cursor, terms, values) ? cursor : undefined;
  }

  /** Permits came back to a shard: it may grant again, and so may the whole. */
  private refresh(anchor: LeaseCursor, { shards }: Split): void {
    for (const terms of shards) {
      if (!this.places.refreshedKeys.take(keyOf(terms, anchor.values))) continue;
      this.standingOn(terms, anchor.values)?.forgetDryness();
      anchor.forgetDryness();
    }
  }

  private standingOn(terms: Terms | undefined, values: CounterValues): LeaseCursor | undefined {
    if (terms === undefined) return undefined;
    const cursor = (this.scratch ??= this.places.newCursor(terms));
    return this.places.seek(cursor, terms, values) ? cursor : undefined;
  }
}
