/**
 * The words of 32 bits that a counter takes in the table: 56 bytes. Whatever does not fit saturates to the safe side: fewer permits
 * held, an earlier end of a lease, a refusal not remembered.
 */
export const ENTRY_WORDS = 14;
/** The counter's 64-bit hash; of a free entry the first word is the next free one. */
export const HASH_LOW = 0;
export const HASH_HIGH = 1;
/** 24 bits: the number of the terms ({@link Kind}), 0 in a free entry. 8 bits: flags. */
export const KIND_AND_FLAGS = 2;
export const BALANCE = 3;
/** Times are unsigned, since the segment's epoch, in the unit of the terms; rounded so that a lease ends earlier, a refusal later. */
export const ENDS_AT = 4;
/** Ms since the epoch, in the unit of 1 ms whatever the terms. */
export const LAST_USED = 5;
/** Permits asked for in the demand span of the last use. */
export const DEMAND_NOW = 6;
/** 53 bits. */
export const BUCKET_LOW = 7;
export const BUCKET_HIGH = 8;
export const STORE_REMAINING = 9;
export const RESET_AT = 10;
/** From here on what a decision from a lease does not look at. Permits asked for in the demand span before. */
export const DEMAND_BEFORE = 11;
export const DRY_UNTIL = 12;
export const DRY_NEED = 13;
/** There is a {@link Lease} object of this entry. */
export const LIVE = 1 << 24;
/** The segment knows a second, longer refusal of this entry. */
export const WIDE = 1 << 25;
/** What the store had left is in units of {@link SCALE}. */
export const SCALED = 1 << 26;
/** The counter is near its limit, as far as the node knows: it is not to be left alone (R29). */
export const NEAR = 1 << 27;
/** Three bits: how often the store lately granted much less than was wanted. */
export const PRESSURE_SHIFT = 28;
export const PRESSURE_BITS = 7;
/** The refusal is the pace of a node that asked near the end of the bucket, not a wait that the store asked for. */
export const LAST_CALL = 1 << 31;
export const KIND_MASK = 0xffffff;
export const MAX_WORD = 0xffffffff;
export const SCALE = 2 ** 22;
//# sourceMappingURL=entry-words.js.map