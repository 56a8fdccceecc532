import type { AppliedRule } from '@sluice/rules';
import { type Split } from '../split/split.js';
import type { CounterHash } from './counter-hash.js';
import type { Kind, Terms } from './terms.js';
/** Finds the terms of an applied rule at once: a snapshot hands out the same object for the same rule and override. */
export declare class TermsBook {
    private readonly hash;
    private readonly keyPrefix;
    private known;
    private last;
    private lastTerms;
    private readonly byText;
    private readonly byNumber;
    private readonly freeNumbers;
    private readonly countings;
    /** Since when, ms, by the last snapshots, no entry has named a kind and no request has begun under it. */
    private readonly unnamed;
    constructor(hash: CounterHash, keyPrefix: string);
    of(applied: AppliedRule): Terms;
    /** The kind that an entry names. */
    kind(number: number): Kind | undefined;
    unitOf(number: number): number;
    enter(kind: Kind): void;
    leave(kind: Kind): void;
    /**
     * Forgets what no entry names and no request uses any more, so that a year of rule changes leaves nothing behind; for a new snapshot, whose rules are
     * new objects.
     * @param nowMs Infinity: numbers are needed at once.
     */
    prune(nowMs: number): void;
    /** The parts of a counter that is split in so many. @param ownCapacity the greatest cost that it takes; default: what fits into each of them. */
    splitOf({ rule, quota }: Pick<Terms, 'rule' | 'quota'>, of: number, ownCapacity?: number): Split;
    private termsOf;
    private shardTerms;
    private kindOf;
    /** Entries are fewer than numbers, so there is always a number whose kind no entry names. */
    private nextNumber;
    private countingOf;
}
