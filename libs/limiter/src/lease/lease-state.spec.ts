import { quota, type QuotaInput } from '@sluice/algorithms';
import { compileRule } from '@sluice/rules';
import { CounterHash } from './counter-hash.js';
import { KIND_AND_FLAGS } from './entry-words.js';
import type { LeasePlan } from './lease-sizing.js';
import { Lease } from './lease.js';
import { Segment } from './segment.js';
import type { Terms } from './terms.js';
import { TermsBook } from './terms-book.js';

const NOW = 1_767_225_600_000;
const DAY_MS = 86_400_000;
const YEAR_MS = 366 * DAY_MS;

function leaseOf(input: QuotaInput, nowMs = NOW): { lease: Lease; segment: Segment; terms: Terms } {
  const book = new TermsBook(new CounterHash(), 's');
  const rule = compileRule({ rule_id: 'r', version: 1, limit: 5, window_seconds: 60 });
  const terms = book.of({ rule, quota: quota(input), overrideId: undefined });
  const segment = new Segment(nowMs, (kind) => book.unitOf(kind));
  const base = segment.take();
  segment.words[base + KIND_AND_FLAGS] = terms.kind.number;
  const lease = new Lease(0, 'key', segment, base, terms);
  lease.use(1, nowMs);
  return { lease, segment, terms };
}

const PLAN: LeasePlan = { want: 0, paceMs: 0, lastCall: false, eases: false, jitterMs: 0 };

function rateOf(lease: Lease, nowMs: number): number {
  return lease.situation(0, nowMs).ratePerMs;
}

function answer(fields: Partial<Parameters<Lease['learn']>[0]>): Parameters<Lease['learn']>[0] {
  return { granted: 0, remaining: 0, retryMs: 0, resetMs: 0, bucket: 0, bucketEndsInMs: 0, nowMs: NOW, delayMs: 0, ...fields };
}

describe('R10 what a lease remembers holds at the edges', () => {
  it('keeps buckets and what the store has left up to 2^53 - 1, the latter rounded down', () => {
    const { lease } = leaseOf({ algorithm: 'gcra', limit: Number.MAX_SAFE_INTEGER, windowMs: 60_000 });
    lease.learn(answer({ granted: 10, remaining: Number.MAX_SAFE_INTEGER - 5, bucket: Number.MAX_SAFE_INTEGER, bucketEndsInMs: 1_000, resetMs: 1_000 }), 1, 10, PLAN, NOW, NOW, 0);
    expect(lease.bucket).toBe(Number.MAX_SAFE_INTEGER);
    expect(lease.storeRemaining).toBeLessThanOrEqual(Number.MAX_SAFE_INTEGER - 5);
    expect(lease.storeRemaining).toBeGreaterThan(Number.MAX_SAFE_INTEGER * 0.999_999);
    lease.learn(answer({ remaining: 2 ** 32 - 1, resetMs: 1 }), 1, 10, PLAN, NOW, NOW, 0);
    expect(lease.storeRemaining).toBe(2 ** 32 - 1);
    lease.learn(answer({ remaining: 2 ** 32, resetMs: 1 }), 1, 10, PLAN, NOW, NOW, 0);
    expect(lease.storeRemaining).toBe(2 ** 32);
  });

  it('takes no more permits than it can count: the others go back', () => {
    const { lease } = leaseOf({ algorithm: 'gcra', limit: Number.MAX_SAFE_INTEGER, windowMs: 60_000 });
    lease.learn(answer({ bucket: 7, bucketEndsInMs: 1_000, remaining: 1e9 }), 1, 1, PLAN, NOW, NOW, 0);
    expect(lease.putBack(2 ** 32 - 1, 7, NOW)).toBe(true);
    expect(lease.balance).toBe(2 ** 32 - 1);
    expect(lease.putBack(1, 7, NOW)).toBe(false);
    expect(lease.putBack(Number.MAX_SAFE_INTEGER, 7, NOW)).toBe(false);
    expect(lease.balance).toBe(2 ** 32 - 1);
  });

  it('forgets a refusal that it cannot keep, and so asks again: no cost waits for too short', () => {
    const { lease } = leaseOf({ algorithm: 'gcra', limit: Number.MAX_SAFE_INTEGER, windowMs: 60_000 });
    lease.learn(answer({ retryMs: 500, remaining: 0 }), 2 ** 32, 2 ** 32, PLAN, NOW, NOW, 0);
    expect(lease.standing(2 ** 32, NOW)).toBe('ask');
    expect(lease.standing(1, NOW)).toBe('ask');
    lease.learn(answer({ retryMs: 500, remaining: 0 }), 2 ** 32 - 1, 2 ** 32 - 1, PLAN, NOW, NOW, 0);
    expect(lease.waitMs(2 ** 32 - 1, NOW)).toBe(500);
    expect(lease.standing(1, NOW)).toBe('ask');
  });

  it.each([
    ['a second', 1_000, 0],
    ['six days', 6 * DAY_MS, 0],
    ['a year', YEAR_MS, 64],
  ])('remembers a wait of %s to %i ms, %i ms too long at most, and ends a lease no later than its bucket', (_name, windowMs, unitMs) => {
    const { lease } = leaseOf({ algorithm: 'fixed_window', limit: 5, windowMs });
    for (const spanMs of [1, windowMs - 1, windowMs, 2 * windowMs]) {
      lease.learn(answer({ retryMs: spanMs, resetMs: spanMs, bucketEndsInMs: spanMs, bucket: NOW }), 1, 1, PLAN, NOW, NOW, 0);
      expect(lease.waitMs(1, NOW) - spanMs).toBeGreaterThanOrEqual(0);
      expect(lease.waitMs(1, NOW) - spanMs).toBeLessThanOrEqual(unitMs);
      expect(lease.resetInMs(NOW) - spanMs).toBeGreaterThanOrEqual(0);
      expect(lease.resetInMs(NOW) - spanMs).toBeLessThanOrEqual(unitMs);
      expect(NOW + spanMs - lease.endsAtMs).toBeGreaterThanOrEqual(1);
      expect(NOW + spanMs - lease.endsAtMs).toBeLessThanOrEqual(unitMs + 1);
    }
  });

  it('remembers waits of a thousand years to a 2^29th part', () => {
    const { lease } = leaseOf({ algorithm: 'token_bucket', limit: 1, burst: 1_000, windowMs: YEAR_MS });
    lease.learn(answer({ retryMs: 999 * YEAR_MS, resetMs: 1_000 * YEAR_MS }), 999, 999, PLAN, NOW, NOW, 0);
    expect(lease.waitMs(999, NOW)).toBeGreaterThanOrEqual(999 * YEAR_MS);
    expect(lease.waitMs(999, NOW)).toBeLessThan(999 * YEAR_MS * (1 + 2 ** -28));
  });

  it.each([1, 366])('knows the same after years, when its epoch has moved on (window of %i days)', (days) => {
    const { lease, segment } = leaseOf({ algorithm: 'fixed_window', limit: 50, windowMs: days * DAY_MS });
    const { epochMs } = segment;
    for (let nowMs = NOW; nowMs < NOW + 10 * YEAR_MS; nowMs += 5 * DAY_MS + 17) {
      lease.use(1, nowMs);
      lease.learn(answer({ remaining: 0, retryMs: days * DAY_MS, resetMs: days * DAY_MS, bucketEndsInMs: days * DAY_MS, bucket: nowMs, nowMs }), 1, 1, PLAN, nowMs, nowMs, 0);
      const before = { wait: lease.waitMs(1, nowMs), ends: lease.endsAtMs, reset: lease.resetAtMs, used: lease.lastUsedMs };
      // As the hand would, at the latest moment at which it could come.
      segment.rebaseIfDue(nowMs);
      expect({ wait: lease.waitMs(1, nowMs), ends: lease.endsAtMs, reset: lease.resetAtMs, used: lease.lastUsedMs }).toEqual(before);
      expect(lease.waitMs(1, nowMs)).toBeGreaterThanOrEqual(days * DAY_MS);
      expect(lease.lastUsedMs).toBe(nowMs);
    }
    expect(segment.epochMs).toBeGreaterThan(epochMs + 9 * YEAR_MS);
  });

  it('is over after a sleep of ten years, and starts as new', () => {
    const { lease } = leaseOf({ algorithm: 'fixed_window', limit: 50, windowMs: 60_000 });
    lease.learn(answer({ remaining: 3, retryMs: 1_000, resetMs: 60_000, bucketEndsInMs: 60_000, bucket: NOW }), 5, 5, PLAN, NOW, NOW, 0);
    lease.putBack(5, NOW, NOW);
    const later = NOW + 10 * YEAR_MS;
    lease.use(1, later);
    expect(lease.standing(1, later)).toBe('ask');
    expect(lease.remainingHint(later)).toBe(50);
    expect(lease.resetInMs(later)).toBeLessThanOrEqual(0);
    expect(rateOf(lease, later)).toBeLessThan(1);
  });

  it('follows the demand of the last second', () => {
    const { lease } = leaseOf({ algorithm: 'fixed_window', limit: 50, windowMs: 60_000 });
    for (let at = 1; at <= 2_000; at += 1) lease.use(3, NOW + at);
    expect(rateOf(lease, NOW + 2_000)).toBeCloseTo(3, 1);
    expect(rateOf(lease, NOW + 2_300)).toBeLessThan(3);
    expect(rateOf(lease, NOW + 4_000)).toBe(0);
    lease.use(Number.MAX_SAFE_INTEGER, NOW + 4_000);
    lease.use(Number.MAX_SAFE_INTEGER, NOW + 4_000);
    expect(rateOf(lease, NOW + 4_000)).toBeGreaterThan(1e6);
  });
});
