import { mostAhead, partOf, quotasOfParts, shardQuota, shardsInUse, shardsOf } from '../split/split.js';
import { KIND_MASK } from './entry-words.js';
import { PACED_FROM_LIMIT } from './lease.js';
import { strategyOf } from './strategy.js';
import { timeUnitMs } from './time-unit.js';
/** A request that began under a kind has ended by then: one on its way from shard to shard (R28) makes entries of its kinds until it has. */
const REQUEST_MS = 60_000;
/** Finds the terms of an applied rule at once: a snapshot hands out the same object for the same rule and override. */
export class TermsBook {
    constructor(hash, keyPrefix) {
        this.hash = hash;
        this.keyPrefix = keyPrefix;
        this.known = new WeakMap();
        this.byText = new Map();
        this.byNumber = [undefined];
        this.freeNumbers = [];
        this.countings = new Map();
        /** Since when, ms, by the last snapshots, no entry has named a kind and no request has begun under it. */
        this.unnamed = new Map();
    }
    of(applied) {
        if (applied === this.last && this.lastTerms !== undefined)
            return this.lastTerms;
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
    kind(number) {
        return this.byNumber[number];
    }
    unitOf(number) {
        return this.byNumber[number]?.unitMs ?? 1;
    }
    enter(kind) {
        kind.entries += 1;
        kind.counting.keys += 1;
    }
    leave(kind) {
        kind.entries -= 1;
        kind.counting.keys -= 1;
    }
    /**
     * Forgets what no entry names and no request uses any more, so that a year of rule changes leaves nothing behind; for a new snapshot, whose rules are
     * new objects.
     * @param nowMs Infinity: numbers are needed at once.
     */
    prune(nowMs) {
        this.known = new WeakMap();
        this.last = undefined;
        this.lastTerms = undefined;
        const counted = new Set();
        for (const [text, kind] of this.byText) {
            const sinceMs = this.unnamed.get(kind) ?? (nowMs === Infinity ? -Infinity : nowMs);
            this.unnamed.delete(kind);
            const inUse = kind.entries > 0 || nowMs - sinceMs < REQUEST_MS;
            if (inUse) {
                counted.add(kind.counting);
                if (kind.entries === 0)
                    this.unnamed.set(kind, sinceMs);
                continue;
            }
            this.byText.delete(text);
            this.byNumber[kind.number] = undefined;
            this.freeNumbers.push(kind.number);
        }
        for (const [identity, counting] of this.countings)
            if (!counted.has(counting))
                this.countings.delete(identity);
    }
    /** The parts of a counter that is split in so many. @param ownCapacity the greatest cost that it takes; default: what fits into each of them. */
    splitOf({ rule, quota }, of, ownCapacity) {
        const shards = [];
        const used = shardsInUse(quota, of);
        const least = partOf(quota.burst, used - 1, of);
        const capacity = ownCapacity ?? least;
        for (let at = 0; at < used; at += 1) {
            const terms = this.shardTerms(rule, quota, { at, of }, capacity);
            shards.push(terms);
            // Not to be pruned while the others are made.
            terms.kind.entries += 1;
        }
        for (const { kind } of shards)
            kind.entries -= 1;
        const paced = strategyOf(rule).leases && quota.limit >= PACED_FROM_LIMIT;
        return { whole: quota, least, paced, away: quotasOfParts(quota, used), shards };
    }
    termsOf({ rule, quota }) {
        const of = shardsOf(rule, quota);
        const split = of > 1 ? this.splitOf({ rule, quota }, of) : undefined;
        const kind = this.kindOf(rule, rule.identity, quota, of);
        const capacity = split?.shards[0]?.capacity ?? quota.burst;
        return { rule, quota, strategy: strategyOf(rule), kind, keyPrefix: this.keyPrefix, capacity, whole: quota, mostAhead: Infinity, shard: undefined, split };
    }
    shardTerms(rule, whole, shard, capacity) {
        const quota = shardQuota(whole, shard);
        // No identity of a rule holds two of these in a row.
        const kind = this.kindOf(rule, `${rule.identity}~~${shard.at}/${shard.of}`, quota, 1);
        return { rule, quota, strategy: strategyOf(rule), kind, keyPrefix: this.keyPrefix, capacity, whole, mostAhead: mostAhead(quota), shard, split: undefined };
    }
    kindOf(rule, identity, quota, shards) {
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
    nextNumber() {
        if (this.freeNumbers.length === 0 && this.byNumber.length > KIND_MASK)
            this.prune(Infinity);
        return this.freeNumbers.pop() ?? this.byNumber.length;
    }
    countingOf(identity) {
        let counting = this.countings.get(identity);
        if (counting === undefined) {
            counting = { identity, seed: this.hash.seedOf(identity), keys: 0 };
            this.countings.set(identity, counting);
        }
        return counting;
    }
}
//# sourceMappingURL=terms-book.js.map