/**
 * Over how many shards the counters of a rule are split; 1: they are not. Whatever the limit is: another number means other counters, and a change of
 * the limit or an override would start clean (R61). Rules whose shards would be too small are not published (see `splitFaults` of `@sluice/rules`).
 */
export function shardsOf({ shards, consistency }, quota, asked = shards) {
    if (asked <= 1 || quota.algorithm === 'sliding_log' || quota.shape || quota.chargeDenied || consistency === 'approximate')
        return 1;
    return asked;
}
/** How many of the shards, the first ones, are in use: where an override admits less than there are shards the others have no permit. */
export function shardsInUse({ limit, burst }, of) {
    return Math.min(of, limit, burst);
}
/** The quota of one shard: limit and burst in equal parts, what is left over to the first ones. */
export function shardQuota(quota, { at, of }) {
    return { ...quota, limit: partOf(quota.limit, at, of), burst: partOf(quota.burst, at, of) };
}
/** Most permits that a node leases ahead of need from one shard: it is the home of others too. */
export function mostAhead({ limit }) {
    return Math.ceil(limit / 4);
}
/** The quotas of one shard of those in use, two, and so on, rounded down; the last one is that of the whole. */
export function quotasOfParts(whole, of) {
    const share = (permits, parts) => Number((BigInt(permits) * BigInt(parts)) / BigInt(of));
    return Array.from({ length: of }, (_, at) => (at + 1 === of ? whole : { ...whole, limit: share(whole.limit, at + 1), burst: share(whole.burst, at + 1) }));
}
/** Part `at` of a whole that is divided into `of` integers as equal as can be. */
export function partOf(whole, at, of) {
    return Math.floor(whole / of) + (at < whole % of ? 1 : 0);
}
//# sourceMappingURL=split.js.map