import type { Algorithm, Taken } from './algorithm.js';
import { leaseSpanMs } from './lease-span.js';
import type { Meter } from './meter.js';
import { NEVER, type Outcome } from './outcome.js';
import { capacityOf, type Quota } from './quota.js';
import { saturatingAdd } from './saturating-add.js';
import { twiceCapacity } from './twice-capacity.js';

/** A counter at one instant. */
interface Reading<S> {
  readonly settled: S;
  /** The state's clock: `now`, or what the state has already seen when the clock stepped back. */
  readonly clockMs: number;
}

/** The rules that hold for all six, over what is one algorithm's own. */
export function algorithmOf<S>(meter: Meter<S>): Algorithm<S> {
  function read(state: S | undefined, quota: Quota, nowMs: number): Reading<S> {
    const atMs = state === undefined ? undefined : meter.clockMs(state, quota);
    // More than a window ahead: the clock was far off when this was written, and waiting for it could take years.
    if (atMs === undefined || atMs > nowMs + quota.windowMs) {
      return { settled: meter.settle(undefined, quota, nowMs), clockMs: nowMs };
    }
    const clockMs = Math.max(nowMs, atMs);
    return { settled: meter.settle(state, quota, clockMs), clockMs };
  }

  /** Below 0 where the counter is beyond its limit. */
  function roomOf({ settled, clockMs }: Reading<S>, quota: Quota): number {
    return capacityOf(quota) - meter.used(settled, quota, clockMs);
  }

  function remainingOf(reading: Reading<S>, quota: Quota): number {
    return Math.max(0, roomOf(reading, quota));
  }

  /** How long a shaper holds back what comes after all that is in use. */
  function delayOf({ settled, clockMs }: Reading<S>, quota: Quota, nowMs: number): number {
    return quota.shape ? fromNow(meter.freeInMs(settled, quota, clockMs), clockMs - nowMs) : 0;
  }

  function answer(after: Reading<S>, quota: Quota, need: number, granted: number, delayMs: number, nowMs: number): Outcome {
    const { settled, clockMs } = after;
    const lagMs = clockMs - nowMs;
    const room = roomOf(after, quota);
    const waitMs = room >= need || need > capacityOf(quota) ? 0 : meter.waitMs(settled, quota, need, clockMs);
    const endsInMs = meter.bucketEndsInMs(settled, quota, clockMs);
    return {
      granted,
      remaining: Math.max(0, room),
      retryMs: need > capacityOf(quota) ? NEVER : fromNow(waitMs, lagMs),
      resetMs: fromNow(meter.freeInMs(settled, quota, clockMs), lagMs),
      bucket: meter.bucket(settled, quota, clockMs),
      bucketEndsInMs: endsInMs === undefined ? leaseSpanMs(quota.windowMs) : fromNow(endsInMs, lagMs),
      nowMs,
      delayMs,
    };
  }

  function take(state: S | undefined, quota: Quota, need: number, want: number, nowMs: number): Taken<S> {
    requireInteger('need', need, 1);
    requireInteger('want', want, need);
    requireInteger('nowMs', nowMs, 0);
    const before = read(state, quota, nowMs);
    const remaining = remainingOf(before, quota);
    // A shaped request waits for what is ahead of it, so permits in advance make no sense.
    const granted = remaining >= need ? Math.min(quota.shape ? need : want, remaining) : 0;
    const charged = granted > 0 ? granted : deniedCharge(before, quota, need);
    const delayMs = granted > 0 ? delayOf(before, quota, nowMs) : 0;
    if (charged === 0) return { outcome: answer(before, quota, need, 0, 0, nowMs), state };
    const { clockMs } = before;
    const settled = meter.charge(before.settled, quota, charged, clockMs);
    return { outcome: answer({ settled, clockMs }, quota, need, granted, delayMs, nowMs), state: settled };
  }

  /** R7: a denial costs nothing, unless the rule says so; then up to twice the capacity, so that a hammering client can recover. */
  function deniedCharge({ settled, clockMs }: Reading<S>, quota: Quota, need: number): number {
    if (!quota.chargeDenied || need > capacityOf(quota)) return 0;
    return upTo(twiceCapacity(quota), need, meter.used(settled, quota, clockMs));
  }

  function charge(state: S | undefined, quota: Quota, amount: number, nowMs: number, onlyIfAbsent = false, bucket?: number): Taken<S> {
    requireInteger('amount', amount, 0);
    requireInteger('nowMs', nowMs, 0);
    const before = read(state, quota, nowMs);
    const { settled, clockMs } = before;
    const used = meter.used(settled, quota, clockMs);
    const charged = onlyIfAbsent && used > 0 ? 0 : upTo(meter.ceiling(quota), amount, used);
    if (charged === 0) return { outcome: answer(before, quota, 1, 0, 0, nowMs), state };
    const to = bucket === undefined || meter.chargeTo === undefined ? meter.charge(settled, quota, charged, clockMs) : meter.chargeTo(settled, quota, charged, bucket);
    if (to === settled) return { outcome: answer(before, quota, 1, 0, 0, nowMs), state };
    const after = { settled: to, clockMs };
    return { outcome: answer(after, quota, 1, charged, 0, nowMs), state: after.settled };
  }

  return {
    take,
    charge,
    usage(state, quota, nowMs) {
      requireInteger('nowMs', nowMs, 0);
      const { settled, clockMs } = read(state, quota, nowMs);
      const all = [{ bucket: meter.bucket(settled, quota, clockMs), amount: meter.used(settled, quota, clockMs) }];
      return { nowMs, parts: (meter.parts?.(settled, quota) ?? all).filter(({ amount }) => amount > 0) };
    },
    peek(state, quota, cost, nowMs) {
      requireInteger('cost', cost, 0);
      requireInteger('nowMs', nowMs, 0);
      const reading = read(state, quota, nowMs);
      const delayMs = remainingOf(reading, quota) >= cost ? delayOf(reading, quota, nowMs) : 0;
      return answer(reading, quota, cost, 0, delayMs, nowMs);
    },
    refund(state, quota, amount, bucket, nowMs) {
      requireInteger('amount', amount, 0);
      requireInteger('nowMs', nowMs, 0);
      if (state === undefined) return { refunded: 0, state };
      const { settled, clockMs } = read(state, quota, nowMs);
      const result = meter.refund(settled, quota, amount, bucket, clockMs);
      return result.state === settled ? { refunded: 0, state } : result;
    },
  };
}

/** Of `amount`, what brings the use to the ceiling and not beyond; a use that is above it already is not lowered. */
function upTo(ceiling: number, amount: number, used: number): number {
  return Math.min(amount, Math.max(0, ceiling - used));
}

/** A wait from the state's clock as one from the caller's: when the clock has stepped back, it must catch up first. */
function fromNow(waitMs: number, lagMs: number): number {
  return waitMs === 0 ? 0 : saturatingAdd(waitMs, lagMs);
}

/** One NaN or fraction in a state would poison every later answer (known failure 13). */
function requireInteger(name: string, value: number, least: number): void {
  if (!Number.isSafeInteger(value) || value < least) {
    throw new RangeError(`${name} must be an integer from ${least} to 2^53-1, not ${value}`);
  }
}
