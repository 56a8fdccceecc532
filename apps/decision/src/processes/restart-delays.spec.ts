import { RestartDelays } from './restart-delays.js';

describe('a process that ends', () => {
  it('is replaced later and later, and soon again once it has lived', () => {
    let nowMs = 0;
    const delays = new RestartDelays(() => nowMs);
    expect([1, 2, 3, 4, 5, 6, 7, 8, 9].map(() => delays.next(1))).toEqual([100, 200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000]);
    expect(delays.next(2)).toBe(100);
    delays.listening(1);
    nowMs = 29_999;
    expect(delays.next(1)).toBe(10_000);
    delays.listening(1);
    nowMs += 30_000;
    expect(delays.next(1)).toBe(100);
  });
});
