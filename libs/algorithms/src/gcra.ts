import type { Algorithm } from './algorithm.js';
import { algorithmOf } from './algorithm-of.js';
import { mulDiv } from './mul-div.js';
import type { Quota } from './quota.js';
import { saturatingAdd } from './saturating-add.js';
import { twiceCapacity } from './twice-capacity.js';

/** The theoretical arrival time, tatMs + frac / limit, when all that is in use has drained. 5 numbers a key. */
export interface GcraState {
  readonly algorithm: 'gcra';
  readonly tatMs: number;
  /** In [0, limit). */
  readonly frac: number;
  /** The limit that the two above were computed with. */
  readonly limit: number;
  /** Last write: tells a state of a clock that was far ahead from one whose limit was lowered. */
  readonly atMs: number;
  /** From here on nothing is in use, by the limit of the last charge, whatever the limit is now (as of a level that drains). */
  readonly endsAtMs: number;
}

/** A time of ms + frac / limit, or a span of as much. */
interface Exact {
  readonly ms: number;
  readonly frac: number;
}

/** The sum, with the fraction carried; 2^53-1 ms at most. Compared by subtraction, as two fractions may pass 2^53. */
function plus(a: Exact, b: Exact, limit: number): Exact {
  const carry = a.frac >= limit - b.frac;
  const ms = a.ms + b.ms + (carry ? 1 : 0);
  if (ms >= Number.MAX_SAFE_INTEGER) return { ms: Number.MAX_SAFE_INTEGER, frac: 0 };
  return { ms, frac: carry ? a.frac - (limit - b.frac) : a.frac + b.frac };
}

/** How long `permits` take to drain: as many emission intervals. */
function drainTime(permits: number, quota: Quota): Exact {
  const { quotient, remainder } = mulDiv(permits, quota.windowMs, quota.limit);
  return { ms: quotient, frac: remainder };
}

/** The arrival time under another limit: the same permits in use as of the last write, at the new pace. */
function rescale(state: GcraState, limit: number): Exact {
  if (state.limit === limit) return { ms: state.tatMs, frac: state.frac };
  const whole = mulDiv(state.tatMs - state.atMs, state.limit, limit);
  const rest = { ms: Math.floor(state.frac / limit), frac: state.frac % limit };
  const backlog = plus({ ms: whole.quotient, frac: whole.remainder }, rest, limit);
  return plus({ ms: state.atMs, frac: 0 }, backlog, limit);
}

/** Permits in use, rounded up. */
function usedOf({ tatMs, frac, atMs }: GcraState, quota: Quota): number {
  const { quotient, remainder } = mulDiv(tatMs - atMs, quota.limit, quota.windowMs);
  const whole = saturatingAdd(quotient, Math.floor(frac / quota.windowMs));
  return saturatingAdd(whole, Math.ceil((remainder + (frac % quota.windowMs)) / quota.windowMs));
}

/** The smallest t after which at most `permits` are in use, at the limit of the quota; or none are, by that of the last charge. */
function untilLevelMs(settled: GcraState, quota: Quota, permits: number): number {
  const kept = drainTime(permits, quota);
  const drainedMs = settled.tatMs - settled.atMs - kept.ms + (settled.frac > kept.frac ? 1 : 0);
  return Math.max(0, Math.min(drainedMs, settled.endsAtMs - settled.atMs));
}

/** The arrival time in whole ms. */
function drainedAtMs({ tatMs, frac }: Pick<GcraState, 'tatMs' | 'frac'>): number {
  return saturatingAdd(tatMs, frac > 0 ? 1 : 0);
}

/**
 * The generic cell rate algorithm: a token bucket that keeps a time instead of a level. It answers the same as token_bucket,
 * integer for integer; at most burst + limit in any window.
 */
export const gcra: Algorithm<GcraState> = algorithmOf<GcraState>({
  clockMs: ({ atMs }) => atMs,
  settle(state, quota, nowMs) {
    const { limit } = quota;
    const live = state === undefined || state.endsAtMs <= nowMs ? undefined : state;
    const tat = live === undefined ? undefined : rescale(live, limit);
    if (live === undefined || tat === undefined || tat.ms < nowMs) return { algorithm: 'gcra', tatMs: nowMs, frac: 0, limit, atMs: nowMs, endsAtMs: nowMs };
    return { algorithm: 'gcra', tatMs: tat.ms, frac: tat.frac, limit, atMs: nowMs, endsAtMs: live.endsAtMs };
  },
  used: usedOf,
  waitMs: (settled, quota, need) => untilLevelMs(settled, quota, quota.burst - need),
  freeInMs: (settled, quota) => untilLevelMs(settled, quota, 0),
  bucket: drainedAtMs,
  bucketEndsInMs: () => undefined,
  ceiling: twiceCapacity,
  charge(settled, quota, permits) {
    const tat = plus({ ms: settled.tatMs, frac: settled.frac }, drainTime(permits, quota), quota.limit);
    const { limit, atMs } = settled;
    return { algorithm: 'gcra', tatMs: tat.ms, frac: tat.frac, limit, atMs, endsAtMs: drainedAtMs({ tatMs: tat.ms, frac: tat.frac }) };
  },
  refund(settled, quota, amount, bucket, nowMs) {
    const spanMs = bucket - nowMs;
    if (amount === 0 || spanMs <= 0 || (settled.tatMs === nowMs && settled.frac === 0)) return { refunded: 0, state: settled };
    // What of the charge has not drained yet, as creditOf says it, in time.
    const all = drainTime(amount, quota);
    const back = all.ms < spanMs || (all.ms === spanMs && all.frac === 0) ? all : { ms: spanMs, frac: 0 };
    const less = minus(settled, back, quota.limit);
    const state = { ...less, endsAtMs: Math.min(settled.endsAtMs, drainedAtMs(less)) };
    return { refunded: usedOf(settled, quota) - usedOf(state, quota), state };
  },
});

/** The arrival time moved back, not below now. */
function minus(settled: GcraState, { ms, frac }: Exact, limit: number): GcraState {
  const borrow = settled.frac < frac;
  const tatMs = settled.tatMs - ms - (borrow ? 1 : 0);
  if (tatMs < settled.atMs) return { ...settled, tatMs: settled.atMs, frac: 0 };
  return { ...settled, tatMs, frac: borrow ? settled.frac + (limit - frac) : settled.frac - frac };
}
