import { creditOf } from './credit.js';
import { mulDiv } from './mul-div.js';
import type { Meter } from './meter.js';
import type { Quota } from './quota.js';
import { saturatingAdd } from './saturating-add.js';
import { twiceCapacity } from './twice-capacity.js';

/** A level of `used` minus `frac / windowMs` permits as of `atMs`. 4 numbers a key. */
export interface LevelState<A extends 'token_bucket' | 'leaky_bucket'> {
  readonly algorithm: A;
  /** Whole permits in use, rounded up. */
  readonly used: number;
  /** What of the last of them has already drained, in 1/windowMs permits; in [0, windowMs). */
  readonly frac: number;
  readonly atMs: number;
  /**
   * From here on nothing is in use, by the limit of the last charge: a lower limit does not bring back what has drained, and whoever was
   * idle until then is free, whether or not the state is still kept (R3, R61).
   */
  readonly endsAtMs: number;
}

type Level = Omit<LevelState<'token_bucket'>, 'algorithm'>;

/**
 * A level that each permit raises by one and that drains at limit / windowMs per ms: a token bucket seen from the side of what
 * is missing, and a leaky bucket as it is. What is kept is the use, so a change of burst shows as its exact difference (R61);
 * the fraction is kept too, so that polling faster than one permit loses nothing (known failure 40).
 */
export function levelMeter<A extends 'token_bucket' | 'leaky_bucket'>(algorithm: A): Meter<LevelState<A>> {
  const empty = (nowMs: number): LevelState<A> => ({ algorithm, used: 0, frac: 0, atMs: nowMs, endsAtMs: nowMs });
  return {
    clockMs: ({ atMs }) => atMs,
    settle(state, quota, nowMs) {
      if (state === undefined || state.endsAtMs <= nowMs) return empty(nowMs);
      const { quotient, remainder } = mulDiv(nowMs - state.atMs, quota.limit, quota.windowMs);
      const carry = remainder + state.frac >= quota.windowMs ? 1 : 0;
      const used = state.used - saturatingAdd(quotient, carry);
      if (used <= 0) return empty(nowMs);
      return { algorithm, used, frac: remainder + state.frac - carry * quota.windowMs, atMs: nowMs, endsAtMs: state.endsAtMs };
    },
    used: ({ used }) => used,
    // By subtraction: used + need could pass 2^53.
    waitMs: (settled, quota, need) => untilMs(settled, settled.used - (quota.burst - need), quota),
    freeInMs: (settled, quota) => untilMs(settled, settled.used, quota),
    bucket: drainedAtMs,
    bucketEndsInMs: () => undefined,
    ceiling: twiceCapacity,
    charge({ used: before, frac, atMs }, quota, permits) {
      const used = before + permits;
      return { algorithm, used, frac, atMs, endsAtMs: drainedAtMs({ used, frac, atMs }, quota) };
    },
    refund(settled, quota, amount, bucket, nowMs) {
      const { whole, part } = creditOf(amount, bucket, quota, nowMs);
      if (settled.used === 0 || (whole === 0 && part === 0)) return { refunded: 0, state: settled };
      const carry = settled.frac + part >= quota.windowMs ? 1 : 0;
      const used = settled.used - whole - carry;
      if (used <= 0) return { refunded: settled.used, state: empty(settled.atMs) };
      const { atMs } = settled;
      const frac = settled.frac + part - carry * quota.windowMs;
      const endsAtMs = Math.min(settled.endsAtMs, drainedAtMs({ used, frac, atMs }, quota));
      return { refunded: whole + carry, state: { algorithm, used, frac, atMs, endsAtMs } };
    },
  };
}

/** When the level will have drained, at the limit of the quota. */
function drainedAtMs({ used, frac, atMs }: Omit<Level, 'endsAtMs'>, quota: Quota): number {
  return saturatingAdd(atMs, drainMs(used, frac, quota));
}

/** Ms until that many of the permits in use have drained, or all of them have. */
function untilMs({ frac, atMs, endsAtMs }: Level, permits: number, quota: Quota): number {
  return Math.min(drainMs(permits, frac, quota), endsAtMs - atMs);
}

/** The smallest t with frac + t x limit >= permits x windowMs. */
function drainMs(permits: number, frac: number, quota: Quota): number {
  if (permits === 0) return 0;
  const { quotient, remainder } = mulDiv(permits, quota.windowMs, quota.limit);
  // remainder - frac lies between -windowMs and limit: the product itself may be too great to take frac off.
  return saturatingAdd(quotient, Math.ceil((remainder - frac) / quota.limit));
}
