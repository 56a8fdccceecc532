import type { AppliedRule, RequestAttributes } from '@sluice/rules';
import { type CounterValues } from '../counter-name.js';
import type { AutoSplits } from '../split/auto-splits.js';
import type { Found } from '../split/combined-answer.js';
import { Shards, type Places } from '../split/shards.js';
import { LeaseCursor } from './lease-cursor.js';
import { type EntryOwner } from './lease-table.js';
import type { Lease } from './lease.js';
import type { LeasesParts } from './leases-parts.js';
import { RefreshedKeys } from './refreshed-keys.js';
import type { Terms } from './terms.js';
/** Finds or makes what the node knows of each counter that a request uses, and gives back what is not spent. */
export declare class Leases implements EntryOwner, Places {
    private readonly parts;
    private readonly hash;
    private readonly book;
    private readonly table;
    private readonly live;
    readonly refreshedKeys: RefreshedKeys;
    readonly shards: Shards;
    readonly auto: AutoSplits | undefined;
    /** One for each limit of a request. */
    private readonly cursors;
    /** Those before it stand on entries of the request at hand. */
    private locating;
    private readonly stopTicking;
    constructor(parts: LeasesParts);
    get size(): number;
    /** Whether a counter that the node does not know may be one near its limit that it had to forget: further ones make others be forgotten, or did. */
    isForgetful(nowMs: number): boolean;
    /** Memory of the table; leases of keys that are busy now come on top. */
    get bytes(): number;
    /** A new snapshot brings new rules: forgets those of before that count nothing. */
    prune(): void;
    /** What serves this request under its limit number `at`, marked as used. Good until the next request. */
    locate(at: number, applied: AppliedRule, attributes: RequestAttributes, cost: number, nowMs: number): LeaseCursor;
    /** The lease of the entry that the cursor stands on, for a trip. */
    leaseOf(cursor: LeaseCursor, nowMs: number): Lease;
    /** The counter of this request, and the permits of it that this node holds; does not count as use. */
    find(applied: AppliedRule, attributes: RequestAttributes, nowMs: number): Found;
    private heldBy;
    /** Permits came back to a counter: what was learnt of its dryness no longer holds. */
    refreshed(key: string): void;
    /** Drops what is known of a counter without giving anything back: it is being reset. Answers its key, and those of its shards. */
    forget(applied: AppliedRule, attributes: RequestAttributes): readonly string[];
    /** Gives every unspent permit back and stops the timer; what is in the air goes back when it lands. */
    close(): Promise<void>;
    /** The table alone knows a counter that is quiet. */
    retire(lease: Lease): void;
    keeps(entry: number, live: boolean): boolean;
    leaves(entry: number): void;
    private returnOf;
    private lose;
    private tick;
    private entryOf;
    private placeNew;
    private place;
    private known;
    private isFull;
    newCursor(terms: Terms): LeaseCursor;
    seek(cursor: LeaseCursor, terms: Terms, values: CounterValues): boolean;
    stand(cursor: LeaseCursor, terms: Terms, values: CounterValues, nowMs: number): void;
}
