import type { Quota } from '@sluice/algorithms';
import type { AppliedRule, CompiledRule } from '@sluice/rules';
import { mostAhead, partOf, quotasOfParts, shardQuota, shardsInUse, shardsOf, type Shard, type Split } from '../split/split.js';
import type { CounterHash } from './counter-hash.js';
import { KIND_MASK } from './entry-words.js';
import { PACED_FROM_LIMIT } from './lease.js';
import { strategyOf } from './strategy.js';
import type { Counting, Kind, Terms } from './terms.js';
import { timeUnitMs } from './time-unit.js';

/** A request that began under a kind has ended by then: one on its way from shard to shard (R28) makes entries of its kinds until it has. */
const REQUEST_MS = 60_000;

/** Finds the terms of an applied rule at once: a snapshot hands out the same object for the same rule and override. */
export class TermsBook {
  private known = new WeakMap<AppliedRule, Terms>();
  private last: AppliedRule | undefined;
  private lastTerms: Terms | undefined;
  private readonly byText = new Map<string, Kind>();
  private readonly byNumber: (Kind | undefined)[] = [undefined];
  private readonly freeNumbers: number[] = [];
  private readonly countings = new Map<string, Counting>();
  /** Since when, ms, by the last snapshots, no entry has named a kind and no request has begun under it. */
  private readonly unnamed = new Map<Kind, number>();

  constructor(
    private readonly hash: CounterHash,
    private readonly keyPrefix: string,
  ) {}

  of(applied: AppliedRule): Terms {
    if (applied === this.last && this.lastTerms !== undefined) return this.lastTerms;
    let terms = this.known.get(applied);
    if (terms === undefined) {
      terms = this.termsOf(applied);
      this.known.set(applied, terms);
    }
    this.last = applied;
    this.lastTerms = terms;
    return terms;
  }

  /** The kind that an entry names. */
  kind(number: number): Kind | undefined {
    return this.byNumber[number];
  }

  unitOf(number: number): number {
    return this.byNumber[number]?.unitMs ?? 1;
  }

  enter(kind: Kind): void {
    kind.entries += 1;
    kind.counting.keys += 1;
  }

  leave(kind: Kind): void {
    kind.entries -= 1;
    kind.counting.keys -= 1;
  }

  /**
   * Forgets what no entry names and no request uses any more, so that a year of rule changes leaves nothing behind; for a new snapshot, whose rules are
   * new objects.
   * @param nowMs Infinity: numbers are needed at once.
   */
  prune(nowMs: number): void {
    this.known = new WeakMap();
    this.last = undefined;
    this.lastTerms = undefined;
    const counted = new Set<Counting>();
    for (const [text, kind] of this.byText) {
      const sinceMs = this.unnamed.get(kind) ?? (nowMs === Infinity ? -Infinity : nowMs);
      this.unnamed.delete(kind);
      const inUse = kind.entries > 0 || nowMs - sinceMs < REQUEST_MS;
      if (inUse) {
        counted.add(kind.counting);
        if (kind.entries === 0) this.unnamed.set(kind, sinceMs);
        continue;
      }
      this.byText.delete(text);
      this.byNumber[kind.number] = undefined;
      this.freeNumbers.push(kind.number);
    }
    for (const [identity, counting] of this.countings) if (!counted.has(counting)) this.countings.delete(identity);
  }

  /** The parts of a counter that is split in so many. @param ownCapacity the greatest cost that it takes; default: what fits into each of them. */
  splitOf({ rule, quota }: Pick<Terms, 'rule' | 'quota'>, of: number, ownCapacity?: number): Split {
    const shards: Terms[] = [];
    const used = shardsInUse(quota, of);
    const least = partOf(quota.burst, used - 1, of);
    const capacity = ownCapacity ?? least;
    for (let at = 0; at < used; at += 1) {
      const terms = this.shardTerms(rule, quota, { at, of }, capacity);
      shards.push(terms);
      // Not to be pruned while the others are made.
      terms.kind.entries += 1;
    }
    for (const { kind } of shards) kind.entries -= 1;
    const paced = strategyOf(rule).leases && quota.limit >= PACED_FROM_LIMIT;
    return { whole: quota, least, paced, away: quotasOfParts(quota, used), shards };
  }

  private termsOf({ rule, quota }: AppliedRule): Terms {
    const of = shardsOf(rule, quota);
    const split = of > 1 ? this.splitOf({ rule, quota }, of) : undefined;
    const kind = this.kindOf(rule, rule.identity, quota, of);
    const capacity = split?.shards[0]?.capacity ?? quota.burst;
    return { rule, quota, strategy: strategyOf(rule), kind, keyPrefix: this.keyPrefix, capacity, whole: quota, mostAhead: Infinity, shard: undefined, split };
  }

  private shardTerms(rule: CompiledRule, whole: Quota, shard: Shard, capacity: number): Terms {
    const quota = shardQuota(whole, shard);
    // No identity of a rule holds two of these in a row.
    const kind = this.kindOf(rule, `${rule.identity}~~${shard.at}/${shard.of}`, quota, 1);
    return { rule, quota, strategy: strategyOf(rule), kind, keyPrefix: this.keyPrefix, capacity, whole, mostAhead: mostAhead(quota), shard, split: undefined };
  }

  private kindOf(rule: CompiledRule, identity: string, quota: Quota, shards: number): Kind {
    const { leases, approximate } = strategyOf(rule);
    const asked = `${Number(leases)}${Number(approximate)}`;
    const text = `${quota.limit} ${quota.burst} ${Number(quota.chargeDenied)} ${Number(quota.shape)} ${asked} ${shards} ${identity}`;
    let kind = this.byText.get(text);
    if (kind === undefined) {
      kind = { number: this.nextNumber(), text, counting: this.countingOf(identity), unitMs: timeUnitMs(quota), entries: 0 };
      this.byText.set(text, kind);
      this.byNumber[kind.number] = kind;
    }
    this.unnamed.delete(kind);
    return kind;
  }

  /** Entries are fewer than numbers, so there is always a number whose kind no entry names. */
  private nextNumber(): number {
    if (this.freeNumbers.length === 0 && this.byNumber.length > KIND_MASK) this.prune(Infinity);
    return this.freeNumbers.pop() ?? this.byNumber.length;
  }

  private countingOf(identity: string): Counting {
    let counting = this.countings.get(identity);
    if (counting === undefined) {
      counting = { identity, seed: this.hash.seedOf(identity), keys: 0 };
      this.countings.set(identity, counting);
    }
    return counting;
  }
}
