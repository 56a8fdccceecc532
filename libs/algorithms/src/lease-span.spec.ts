import { leaseSpanMs } from './lease-span.js';

describe('R23 leaseSpanMs', () => {
  it.each([
    [100, 5],
    [119, 5],
    [1000, 50],
    [20_000, 1000],
    [86_400_000, 1000],
    [19, 1],
  ])('of a window of %i ms is %i ms', (windowMs, spanMs) => {
    expect(leaseSpanMs(windowMs)).toBe(spanMs);
  });
});
