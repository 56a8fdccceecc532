import type { AppliedRule, RequestAttributes } from '@sluice/rules';
import { every } from '../clock.js';
import { counterValues, keyOf, OVERFLOW, type CounterValues } from '../counter-name.js';
import type { AutoSplits } from '../split/auto-splits.js';
import type { Found } from '../split/combined-answer.js';
import { Shards, type Places } from '../split/shards.js';
import { CounterHash } from './counter-hash.js';
import { KIND_AND_FLAGS, KIND_MASK } from './entry-words.js';
import { IDLE_MS } from './idle-wheel.js';
import { LeaseCursor } from './lease-cursor.js';
import { LeaseTable, type EntryOwner } from './lease-table.js';
import type { Lease } from './lease.js';
import type { LeasesParts } from './leases-parts.js';
import { LiveLeases } from './live-leases.js';
import { RefreshedKeys } from './refreshed-keys.js';
import { Segment } from './segment.js';
import { TermsBook } from './terms-book.js';
import type { Terms } from './terms.js';

/** Keys looked at in each tick of the timer, so that forgetting never pauses the requests. */
const STEPS_A_TICK = 2_000;
/** Where a cursor stands before its first request. */
const NOWHERE = new Segment(0, () => 1, 1, 0);

/** Finds or makes what the node knows of each counter that a request uses, and gives back what is not spent. */
export class Leases implements EntryOwner, Places {
  private readonly hash = new CounterHash();
  private readonly book: TermsBook;
  private readonly table: LeaseTable;
  private readonly live = new LiveLeases();
  readonly refreshedKeys = new RefreshedKeys();
  readonly shards: Shards;
  readonly auto: AutoSplits | undefined;
  /** One for each limit of a request. */
  private readonly cursors: LeaseCursor[] = [];
  /** Those before it stand on entries of the request at hand. */
  private locating = 0;
  private readonly stopTicking: () => void;

  constructor(private readonly parts: LeasesParts) {
    this.book = new TermsBook(this.hash, parts.keyPrefix);
    this.shards = new Shards(this, parts.homeOf, parts.rechecks);
    this.table = new LeaseTable(parts.maxKeys, this.book, this);
    this.auto = parts.autoSplits?.(this.book);
    this.stopTicking = every(parts.clock, IDLE_MS / 4, () => this.tick());
  }

  get size(): number {
    return this.table.size;
  }

  /** Whether a counter that the node does not know may be one near its limit that it had to forget: further ones make others be forgotten, or did. */
  isForgetful(nowMs: number): boolean {
    return this.table.size >= this.parts.maxKeys || nowMs < this.table.missedUntilMs;
  }

  /** Memory of the table; leases of keys that are busy now come on top. */
  get bytes(): number {
    return this.table.bytes;
  }

  /** A new snapshot brings new rules: forgets those of before that count nothing. */
  prune(): void {
    this.book.prune(this.parts.clock.nowMs());
  }

  /** What serves this request under its limit number `at`, marked as used. Good until the next request. */
  locate(at: number, applied: AppliedRule, attributes: RequestAttributes, cost: number, nowMs: number): LeaseCursor {
    const terms = this.book.of(applied);
    const values = counterValues(terms.rule, attributes);
    const cursor = (this.cursors[at] ??= this.newCursor(terms));
    this.locating = at;
    const entry = this.entryOf(terms, values);
    if (entry >= 0) this.place(cursor, entry, terms, values);
    else this.placeNew(cursor, terms, values, nowMs);
    cursor.use(cost, nowMs);
    if (!this.refreshedKeys.isEmpty && cursor.waitMs(cost, nowMs) > 0 && this.refreshedKeys.take(cursor.key)) cursor.forgetDryness();
    const split = terms.split ?? this.auto?.of(cursor, nowMs);
    if (split === undefined) return cursor;
    this.locating = at + 1;
    return this.shards.pick(at, cursor, split, cost, nowMs);
  }

  /** The lease of the entry that the cursor stands on, for who pins it. */
  leaseOf(cursor: LeaseCursor): Lease {
    let lease = cursor.isLive ? this.live.get(cursor.entry) : undefined;
    if (lease === undefined) {
      lease = cursor.toLease();
      if (cursor.split !== undefined) lease.counter = keyOf(cursor.split.terms, cursor.values);
      this.live.set(cursor.entry, lease);
    }
    lease.terms = cursor.terms;
    return lease;
  }

  /** The counter of this request, and the permits of it that this node holds; does not count as use. */
  find(applied: AppliedRule, attributes: RequestAttributes, nowMs: number): Found {
    const { terms, values } = this.known(applied, attributes);
    const split = terms.split ?? this.auto?.find(terms, values, nowMs);
    // What it held when the counter was split it may still spend.
    const own = split === undefined ? 0 : this.heldBy(terms, values, nowMs);
    const parts = (split?.shards ?? [terms]).map((part, at) => ({ key: keyOf(part, values), quota: part.quota, held: this.heldBy(part, values, nowMs) + (at === 0 ? own : 0), bucket: this.live.get(this.entryOf(part, values))?.bucket }));
    return { key: keyOf(terms, values), capacity: terms.capacity, parts };
  }

  private heldBy(terms: Terms, values: CounterValues, nowMs: number): number {
    const lease = this.live.get(this.entryOf(terms, values));
    const unreported = terms.strategy.approximate ? this.parts.credits.unreported(keyOf(terms, values)) : 0;
    const holds = lease !== undefined && lease.credit?.isOpen !== true && nowMs < lease.endsAtMs;
    return (holds ? lease.balance : 0) - unreported;
  }

  /** Permits came back to a counter: what was learnt of its dryness no longer holds. */
  refreshed(key: string): void {
    this.refreshedKeys.add(key, this.parts.clock.nowMs());
  }

  /** Drops what is known of a counter without giving anything back: it is being reset. Answers its key, and those of its shards. */
  forget(applied: AppliedRule, attributes: RequestAttributes): readonly string[] {
    const { terms, values } = this.known(applied, attributes);
    const split = terms.split ?? this.auto?.find(terms, values, this.parts.clock.nowMs());
    return [terms, ...(split?.shards ?? [])].map((part) => {
      const key = keyOf(part, values);
      const entry = this.entryOf(part, values);
      const lease = this.live.get(entry);
      this.parts.credits.drop(key);
      if (lease !== undefined) {
        lease.balance = 0;
        this.lose(lease);
      }
      if (entry >= 0) this.table.remove(entry);
      return key;
    });
  }

  /** Gives every unspent permit back and stops the timer; what is in the air goes back when it lands. */
  async close(): Promise<void> {
    this.stopTicking();
    await this.parts.dispatcher.close();
    this.parts.wheel.drain();
    await this.parts.credits.close();
  }

  /** The table alone knows a counter that is quiet. */
  retire(lease: Lease): void {
    if (this.live.get(lease.entry) !== lease || !this.parts.credits.release(lease)) return;
    this.live.delete(lease.entry);
    lease.retire();
  }

  keeps(entry: number, live: boolean): boolean {
    for (let at = 0; at < this.locating; at += 1) if (this.cursors[at]?.entry === entry) return true;
    if (this.shards.keeps(entry, this.locating)) return true;
    return live && (this.live.get(entry)?.pins ?? 0) > 0;
  }

  leaves(entry: number): void {
    const lease = this.live.get(entry);
    if (lease === undefined) return;
    this.parts.dispatcher.returnBalance(lease);
    this.lose(lease);
  }

  private returnOf(lease: Lease | undefined): void {
    if (lease !== undefined) this.parts.dispatcher.returnBalance(lease);
  }

  private lose(lease: Lease): void {
    this.live.delete(lease.entry);
    this.parts.credits.detach(lease);
    lease.loseEntry();
  }

  private tick(): void {
    const { clock, wheel, fallback, credits } = this.parts;
    const nowMs = clock.nowMs();
    this.locating = 0;
    wheel.turn(nowMs);
    credits.tick(nowMs, STEPS_A_TICK);
    this.table.tick(nowMs, STEPS_A_TICK);
    this.refreshedKeys.tick(nowMs);
    this.shards.tick(nowMs);
    for (const { split, values } of this.auto?.tick(nowMs) ?? []) {
      // Their counters are whole again: what is held of the shards goes back while it is still moved.
      for (const terms of split?.shards ?? []) this.returnOf(this.live.get(this.entryOf(terms, values)));
    }
    fallback.tidy(STEPS_A_TICK);
  }

  private entryOf({ kind }: Terms, values: CounterValues): number {
    const { hash } = this;
    if (typeof values === 'string') hash.ofOne(kind.counting.seed, values);
    else hash.of(kind.counting.seed, values);
    return this.table.find(hash.low, hash.high, kind);
  }

  private placeNew(cursor: LeaseCursor, terms: Terms, values: CounterValues, nowMs: number): void {
    const { kind } = terms;
    if (!this.isFull(terms)) {
      this.place(cursor, this.table.add(this.hash.low, this.hash.high, kind, nowMs), terms, values);
      return;
    }
    this.parts.stats.overflowed += 1;
    const shared = this.entryOf(terms, OVERFLOW);
    this.place(cursor, shared >= 0 ? shared : this.table.add(this.hash.low, this.hash.high, kind, nowMs), terms, OVERFLOW);
  }

  private place(cursor: LeaseCursor, entry: number, terms: Terms, values: CounterValues): void {
    const segment = this.table.slab.segment(entry);
    if (segment === undefined) return;
    const base = this.table.slab.base(entry);
    const known = (segment.words[base + KIND_AND_FLAGS] ?? 0) & KIND_MASK;
    if (known === terms.kind.number) {
      cursor.place(entry, segment, base, terms, values);
      return;
    }
    const before = this.book.kind(known);
    const lease = this.live.get(entry);
    lease?.credit?.close();
    cursor.place(entry, segment, base, { ...terms, kind: before ?? terms.kind }, values);
    cursor.adopt(terms);
    this.table.rename(entry, before, terms.kind);
    if (lease !== undefined) lease.terms = terms;
  }

  private known(applied: AppliedRule, attributes: RequestAttributes): { readonly terms: Terms; readonly values: CounterValues } {
    const terms = this.book.of(applied);
    const values = counterValues(terms.rule, attributes);
    return { terms, values: this.isFull(terms) && this.entryOf(terms, values) < 0 ? OVERFLOW : values };
  }

  private isFull({ kind }: Terms): boolean {
    return kind.counting.keys >= this.parts.maxKeysPerRule;
  }

  newCursor(terms: Terms): LeaseCursor {
    return new LeaseCursor(NOWHERE, 0, terms);
  }

  seek(cursor: LeaseCursor, terms: Terms, values: CounterValues): boolean {
    const entry = this.entryOf(terms, values);
    if (entry >= 0) this.place(cursor, entry, terms, values);
    return entry >= 0;
  }

  stand(cursor: LeaseCursor, terms: Terms, values: CounterValues, nowMs: number): void {
    if (this.seek(cursor, terms, values)) return;
    this.place(cursor, this.table.add(this.hash.low, this.hash.high, terms.kind, nowMs), terms, values);
  }
}
