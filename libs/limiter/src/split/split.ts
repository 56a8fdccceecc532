import type { Quota } from '@sluice/algorithms';
import { MIN_SHARD_PERMITS, type CompiledRule } from '@sluice/rules';
import type { Terms } from '../lease/terms.js';

/** Which part of a split counter (R28). */
export interface Shard {
  readonly at: number;
  readonly of: number;
}

/** The parts of a counter that is split: counters of their own, whose limits add up to that of the whole. */
export interface Split {
  /** That of the counter as a whole. */
  readonly whole: Quota;
  /** What fits into each of the shards. */
  readonly least: number;
  /** Whether a node may wait for longer than the store says, when all shards are dry (R24). */
  readonly paced: boolean;
  readonly shards: readonly Terms[];
  /** What one shard may admit, two, and so on to all of them: for those whose servers are away. */
  readonly away: readonly Quota[];
}

/**
 * Over how many shards the counters of a rule are split; 1: they are not. Fewer than the rule says where the quota, an override's say, is too small for
 * them, the same on every node; a rule that cannot be split is served whole (see `splitFaults` of `@sluice/rules`).
 */
export function shardsOf({ shards, consistency }: CompiledRule, quota: Quota, asked = shards): number {
  if (asked <= 1 || quota.algorithm === 'sliding_log' || quota.shape || quota.chargeDenied || consistency === 'approximate') return 1;
  return Math.max(1, Math.min(asked, Math.floor(Math.min(quota.limit, quota.burst) / MIN_SHARD_PERMITS)));
}

/** The quota of one shard: limit and burst in equal parts, what is left over to the first ones. */
export function shardQuota(quota: Quota, { at, of }: Shard): Quota {
  return { ...quota, limit: partOf(quota.limit, at, of), burst: partOf(quota.burst, at, of) };
}

/** Most permits that a node leases ahead of need from one shard: it is the home of others too. */
export function mostAhead({ limit }: Quota): number {
  return Math.ceil(limit / 4);
}

/** The quotas of one shard, two, and so on, rounded down; the last one is that of the whole. */
export function quotasOfParts(whole: Quota, of: number): readonly Quota[] {
  const share = (permits: number, parts: number): number => Number((BigInt(permits) * BigInt(parts)) / BigInt(of));
  return Array.from({ length: of }, (_, at) => (at + 1 === of ? whole : { ...whole, limit: share(whole.limit, at + 1), burst: share(whole.burst, at + 1) }));
}

/** Part `at` of a whole that is divided into `of` integers as equal as can be. */
export function partOf(whole: number, at: number, of: number): number {
  return Math.floor(whole / of) + (at < whole % of ? 1 : 0);
}
