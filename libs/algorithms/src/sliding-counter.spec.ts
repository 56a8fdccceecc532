import assert from 'node:assert/strict';
import fc from 'fast-check';
import { histories, live } from '../test/support/histories.js';
import { quotas } from '../test/support/quotas.js';
import { quota } from './quota-builder.js';
import { slidingCounter, type SlidingCounterState } from './sliding-counter.js';

const START_MS = 1_767_225_600_000;

describe('R2 sliding_counter', () => {
  it('estimates by the formula of the README, in exact arithmetic, at every instant', () => {
    const calm = histories({ back: false, change: false });
    fc.assert(
      fc.property(quotas(['sliding_counter']), calm, (q, history) => {
        const k = BigInt(q.subBuckets);
        const width = BigInt(q.windowMs) / k;
        const counts = new Map<bigint, bigint>();
        const count = (index: bigint): bigint => counts.get(index) ?? 0n;
        const events = live({ ...q, chargeDenied: false }, history);
        for (const { does, nowMs, outcome, refunded, ofTake } of events) {
          const index = BigInt(nowMs) / width;
          if (does === 'take') counts.set(index, count(index) + BigInt(outcome.granted));
          const bucket = BigInt(events[ofTake]?.outcome.bucket ?? 0);
          if (refunded > 0) counts.set(bucket, count(bucket) - BigInt(refunded));
          let whole = 0n;
          let filled = count(index - k);
          for (let j = index - k + 1n; j <= index; j += 1n) {
            whole += count(j);
            if (j < index) filled += count(j);
          }
          const oldest = count(index - k);
          const left = width - (BigInt(nowMs) - index * width);
          const decayed = (oldest * left + width - 1n) / width;
          const floor = oldest - filled / k;
          const used = (decayed > floor ? decayed : floor) + whole;
          const remaining = BigInt(q.limit) - used;
          assert.equal(BigInt(outcome.remaining), remaining > 0n ? remaining : 0n);
        }
      }),
      { numRuns: 500, seed: 2 },
    );
  });

  it('counts a state of another number of sub-buckets as absent', () => {
    const two = quota({ limit: 10, windowMs: 1000, subBuckets: 2 });
    const { state } = slidingCounter.take(undefined, two, 10, 10, START_MS);
    expect(slidingCounter.peek(state, { ...two, subBuckets: 1 }, 10, START_MS)).toMatchObject({ remaining: 10, retryMs: 0 });
    expect(slidingCounter.peek(state, { ...two, subBuckets: 4 }, 10, START_MS)).toMatchObject({ remaining: 10, retryMs: 0 });
    // Near the epoch, where a test's clock may be, the index alone would not tell.
    const early = slidingCounter.take(undefined, two, 10, 10, 700).state;
    expect(slidingCounter.peek(early, { ...two, subBuckets: 4 }, 10, 700)).toMatchObject({ remaining: 10, retryMs: 0 });
  });

  it.each([1, 2, 4, 10])('admits its limit a window under steady overload, with k = %i, less one for rounding', (subBuckets) => {
    const q = quota({ limit: 100, windowMs: 1000, subBuckets });
    let state: SlidingCounterState | undefined;
    let granted = 0;
    for (let t = 0; t < 100_000; t += 3) {
      const taken = slidingCounter.take(state, q, 1, 1, START_MS + t);
      state = taken.state;
      granted += taken.outcome.granted;
    }
    expect(granted).toBeGreaterThanOrEqual(9800);
    expect(granted).toBeLessThanOrEqual(10_100);
  });
});
