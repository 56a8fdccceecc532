/**
 * The words of 32 bits that a counter takes in the table: 56 bytes. Whatever does not fit saturates to the safe side: fewer permits
 * held, an earlier end of a lease, a refusal not remembered.
 */
export declare const ENTRY_WORDS = 14;
/** The counter's 64-bit hash; of a free entry the first word is the next free one. */
export declare const HASH_LOW = 0;
export declare const HASH_HIGH = 1;
/** 24 bits: the number of the terms ({@link Kind}), 0 in a free entry. 8 bits: flags. */
export declare const KIND_AND_FLAGS = 2;
export declare const BALANCE = 3;
/** Times are unsigned, since the segment's epoch, in the unit of the terms; rounded so that a lease ends earlier, a refusal later. */
export declare const ENDS_AT = 4;
/** Ms since the epoch, in the unit of 1 ms whatever the terms. */
export declare const LAST_USED = 5;
/** Permits asked for in the demand span of the last use. */
export declare const DEMAND_NOW = 6;
/** 53 bits. */
export declare const BUCKET_LOW = 7;
export declare const BUCKET_HIGH = 8;
export declare const STORE_REMAINING = 9;
export declare const RESET_AT = 10;
/** From here on what a decision from a lease does not look at. Permits asked for in the demand span before. */
export declare const DEMAND_BEFORE = 11;
export declare const DRY_UNTIL = 12;
export declare const DRY_NEED = 13;
/** There is a {@link Lease} object of this entry. */
export declare const LIVE: number;
/** The segment knows a second, longer refusal of this entry. */
export declare const WIDE: number;
/** What the store had left is in units of {@link SCALE}. */
export declare const SCALED: number;
/** The counter is near its limit, as far as the node knows: it is not to be left alone (R29). */
export declare const NEAR: number;
/** Three bits: how often the store lately granted much less than was wanted. */
export declare const PRESSURE_SHIFT = 28;
export declare const PRESSURE_BITS = 7;
/** The refusal is the pace of a node that asked near the end of the bucket, not a wait that the store asked for. */
export declare const LAST_CALL: number;
export declare const KIND_MASK = 16777215;
export declare const MAX_WORD = 4294967295;
export declare const SCALE: number;
