import assert from 'node:assert/strict';
import fc from 'fast-check';
import { freezeDeep, numbersIn } from '../test/support/freeze.js';
import { quota } from './quota-builder.js';
import { slidingLog, type SlidingLogState } from './sliding-log.js';

const START_MS = 1_767_225_600_000;

/** The log as anybody would write it down. */
class NaiveLog {
  private entries: { atMs: number; count: number }[] = [];

  constructor(
    private readonly limit: number,
    private readonly windowMs: number,
  ) {}

  used(nowMs: number): number {
    return this.entries.filter(({ atMs }) => atMs > nowMs - this.windowMs).reduce((sum, { count }) => sum + count, 0);
  }

  take(need: number, want: number, nowMs: number): number {
    const left = this.limit - this.used(nowMs);
    const granted = left >= need ? Math.min(want, left) : 0;
    if (granted > 0) this.entries.push({ atMs: nowMs, count: granted });
    return granted;
  }

  refund(amount: number, bucket: number, nowMs: number): number {
    if (bucket <= nowMs - this.windowMs) return 0;
    const those = this.entries.filter(({ atMs }) => atMs === bucket);
    const refunded = Math.min(
      amount,
      those.reduce((sum, { count }) => sum + count, 0),
    );
    this.entries = this.entries.filter(({ atMs }) => atMs !== bucket);
    const rest = those.reduce((sum, { count }) => sum + count, 0) - refunded;
    if (rest > 0) this.entries.push({ atMs: bucket, count: rest });
    return refunded;
  }

  retryMs(need: number, nowMs: number): number {
    for (const t of [nowMs, ...this.entries.map(({ atMs }) => atMs + this.windowMs).sort((a, b) => a - b)]) {
      if (t >= nowMs && this.limit - this.used(t) >= need) return t - nowMs;
    }
    return -1;
  }
}

const steps = fc.array(
  fc.record({
    // Close together, so that a window holds several chunks of entries; now and then a leap.
    afterMs: fc.oneof(
      { weight: 60, arbitrary: fc.integer({ min: 0, max: 12 }) },
      { weight: 2, arbitrary: fc.integer({ min: 0, max: 600 }) },
      { weight: 1, arbitrary: fc.constantFrom(999, 1000, 1001) },
    ),
    need: fc.integer({ min: 1, max: 4 }),
    more: fc.constantFrom(0, 0, 3),
    refunds: fc.option(fc.record({ back: fc.nat({ max: 200 }), amount: fc.integer({ min: 1, max: 6 }) }), { freq: 4 }),
  }),
  { minLength: 1, maxLength: 600, size: 'max' },
);

describe('R2 R7 sliding_log', () => {
  it('answers as a plain list does, whatever is taken and refunded, over many chunks', () => {
    fc.assert(
      fc.property(steps, fc.constantFrom(20, 150, 600), (history, limit) => {
        const q = quota({ algorithm: 'sliding_log', limit, windowMs: 1000 });
        const naive = new NaiveLog(limit, 1000);
        const buckets: number[] = [];
        let state: SlidingLogState | undefined;
        let nowMs = START_MS;
        for (const { afterMs, need, more, refunds } of history) {
          nowMs += afterMs;
          const taken = slidingLog.take(state, q, need, need + more, nowMs);
          assert.equal(taken.outcome.granted, naive.take(need, need + more, nowMs));
          state = freezeDeep(taken.state);
          buckets.push(taken.outcome.bucket);
          if (refunds !== null) {
            const bucket = buckets[buckets.length - 1 - (refunds.back % buckets.length)] ?? 0;
            const refund = slidingLog.refund(state, q, refunds.amount, bucket, nowMs);
            assert.equal(refund.refunded, naive.refund(refunds.amount, bucket, nowMs));
            state = freezeDeep(refund.state);
          }
          const { remaining, retryMs } = slidingLog.peek(state, q, need, nowMs);
          assert.deepEqual([remaining, retryMs], [limit - naive.used(nowMs), naive.retryMs(need, nowMs)]);
        }
      }),
      { numRuns: 60, seed: 29 },
    );
  });

  it('known failure 11: a denial leaves no entry', () => {
    const q = quota({ algorithm: 'sliding_log', limit: 2, windowMs: 1000 });
    const full = slidingLog.take(undefined, q, 2, 2, START_MS).state;
    let state = full;
    for (let t = 1; t < 1000; t += 1) state = slidingLog.take(state, q, 1, 1, START_MS + t).state;
    expect(state).toBe(full);
  });

  it('R9 refunds of the last entries of a chunk that has partly expired leave the next chunk whole', () => {
    const q = quota({ algorithm: 'sliding_log', limit: 100, windowMs: 1000 });
    let state: SlidingLogState | undefined;
    for (let t = 0; t < 70; t += 1) state = slidingLog.take(state, q, 1, 1, START_MS + t).state;
    const nowMs = START_MS + 1060;
    for (const t of [61, 62, 63]) state = slidingLog.refund(state, q, 1, START_MS + t, nowMs).state;
    expect(slidingLog.peek(state, q, 95, nowMs)).toMatchObject({ remaining: 94, retryMs: 4, resetMs: 9 });
    expect(slidingLog.peek(state, q, 0, nowMs + 5)).toMatchObject({ remaining: 96 });
    for (const t of [69, 68, 67, 66, 65]) state = slidingLog.refund(state, q, 1, START_MS + t, nowMs).state;
    expect(slidingLog.peek(state, q, 100, nowMs)).toMatchObject({ remaining: 99, retryMs: 4, resetMs: 4 });
    expect(slidingLog.refund(state, q, 1, START_MS + 64, nowMs)).toEqual({ refunded: 1, state: undefined });
  });

  it('R9 refunds of the newest chunk bring back the one before it', () => {
    const q = quota({ algorithm: 'sliding_log', limit: 100, windowMs: 1000 });
    let state: SlidingLogState | undefined;
    for (let t = 0; t < 65; t += 1) state = slidingLog.take(state, q, 1, 1, START_MS + t).state;
    state = slidingLog.refund(state, q, 1, START_MS + 64, START_MS + 64).state;
    expect(slidingLog.peek(state, q, 37, START_MS + 64)).toMatchObject({ remaining: 36, retryMs: 936, resetMs: 999 });
    state = slidingLog.take(state, q, 2, 2, START_MS + 63).state;
    expect(slidingLog.peek(state, q, 100, START_MS + 63)).toMatchObject({ remaining: 34, retryMs: 1000 });
  });

  it('R10 stays exact when as good as 2^53 permits have expired and as many come', () => {
    const q = quota({ algorithm: 'sliding_log', limit: 2 ** 53 - 1, windowMs: 100 });
    let state = slidingLog.take(undefined, q, 1, 2 ** 53 - 3, START_MS).state;
    state = slidingLog.take(state, q, 1, 1, START_MS + 50).state;
    const { outcome, state: after } = slidingLog.take(state, q, 1, 2 ** 53 - 3, START_MS + 100);
    expect(outcome).toMatchObject({ granted: 2 ** 53 - 3, remaining: 1 });
    expect(numbersIn(after).filter((value) => !Number.isSafeInteger(value))).toEqual([]);
    expect(slidingLog.peek(after, q, 2, START_MS + 100)).toMatchObject({ retryMs: 50 });
  });

  it('a take shares all but one chunk with the state before: 20,000 of them in one window cost no n squared', () => {
    const q = quota({ algorithm: 'sliding_log', limit: 1_000_000, windowMs: 60_000 });
    let state: SlidingLogState | undefined;
    for (let i = 0; i < 20_000; i += 1) state = slidingLog.take(state, q, 1, 1, START_MS + i).state;
    const next = slidingLog.take(state, q, 1, 1, START_MS + 20_000).state;
    expect(next?.log.total).toBe(20_001);
    expect(next?.log.sealed.length).toBe(312);
    expect(next?.log.sealed[0]).toBe(state?.log.sealed[0]);
    expect(next?.log.sealed).toBe(state?.log.sealed);
  });
});

describe('R9 a refund to a long log', () => {
  it('gives back a charge with up to 1,024 entries after it, and 0 of an older one', () => {
    const q = quota({ algorithm: 'sliding_log', limit: 1_000_000, windowMs: 3_600_000 });
    let state: SlidingLogState | undefined;
    for (let i = 0; i < 1_200; i += 1) state = slidingLog.take(state, q, 2, 2, START_MS + i).state;
    const nowMs = START_MS + 1_200;
    const oldest = START_MS + 1_199 - 1_024;
    for (const bucket of [START_MS, oldest - 1]) expect(slidingLog.refund(state, q, 2, bucket, nowMs)).toEqual({ refunded: 0, state });
    const { refunded, state: after } = slidingLog.refund(state, q, 2, oldest, nowMs);
    expect(refunded).toBe(2);
    // One less behind those before it.
    expect(slidingLog.refund(after, q, 2, oldest - 1, nowMs).refunded).toBe(2);
    expect(slidingLog.peek(after, q, 1, nowMs).remaining).toBe(1_000_000 - 2_400 + 2);
  });
});
