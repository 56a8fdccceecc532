import fc from 'fast-check';
import { fullestWindow, spanAt, widestWindow } from './span.js';

describe('R84 windows of event time', () => {
  it('take in the one under way and those that ended within the lateness', () => {
    // Steps of 1 s: it is 12:00:05.5, so that the window under way ends at :06, and the first that is looked at again at :03.
    expect(spanAt(5_500, 10_000, 3_000)).toEqual({ stepMs: 1_000, windowMs: 10_000, fromMs: -7_000, firstEndMs: 3_000, toMs: 6_000 });
    expect(spanAt(5_500, 10_000, 0)).toMatchObject({ firstEndMs: 6_000, toMs: 6_000 });
    expect(spanAt(6_000, 10_000, 1)).toMatchObject({ firstEndMs: 6_000, toMs: 7_000 });
  });

  it('the fullest is the one that counting each by itself finds', () => {
    const bucket = fc.tuple(fc.integer({ min: -20, max: 20 }).map((step) => step * 1_000), fc.integer({ min: 0, max: 50 }));
    fc.assert(
      fc.property(fc.array(bucket, { maxLength: 60 }), fc.integer({ min: 0, max: 9_999 }), fc.integer({ min: 0, max: 8_000 }), (buckets, nowMs, latenessMs) => {
        const span = spanAt(nowMs, 10_000, latenessMs);
        const sums: number[] = [];
        for (let endMs = span.firstEndMs; endMs <= span.toMs; endMs += 1_000) sums.push(buckets.filter(([at]) => at >= endMs - 10_000 && at < endMs).reduce((sum, [, amount]) => sum + amount, 0));
        const { endMs, sum } = fullestWindow(span, buckets);
        expect(sum).toBe(Math.max(...sums));
        expect(sums[(endMs - span.firstEndMs) / 1_000]).toBe(sum);
      }),
      { seed: 84 },
    );
  });

  it('counts a member once a window, however often it is there', () => {
    const span = spanAt(0, 10_000, 5_000);
    const members = [[-9_000, 'a'], [-1_000, 'a'], [-2_000, 'b'], [-20_000, 'c']] as const;
    expect(widestWindow(span, members)).toEqual({ endMs: -1_000, sum: 2, members: ['a', 'b'] });
    expect(widestWindow(span, [])).toEqual({ endMs: span.firstEndMs, sum: 0, members: [] });
  });
});
