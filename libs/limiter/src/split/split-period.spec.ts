import { SplitPeriod } from './split-period.js';

describe('R28 the period of a split', () => {
  const heard = (atMs: number): SplitPeriod => new SplitPeriod('k', 4, 10_000, 20_000, atMs);

  it('is from its beginning to its end, by the clock of the store', () => {
    const period = heard(19_000);
    expect([9_999, 10_000, 19_999, 20_000].map((atMs) => period.covers(atMs))).toEqual([false, true, true, false]);
  });

  it('goes on when it was prolonged', () => {
    const period = heard(12_000);
    period.hear(30_000, 16_000);
    expect([20_000, 29_999].map((atMs) => period.covers(atMs))).toEqual([true, true]);
  });

  it('does not end for a node that may have missed that it was prolonged, until it hears', () => {
    const period = heard(17_000);
    expect(period.knowsEnd).toBe(false);
    expect(period.covers(60_000)).toBe(true);
    period.hear(20_000, 60_000);
    expect(period.covers(60_000)).toBe(false);
  });
});
