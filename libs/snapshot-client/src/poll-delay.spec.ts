import { pollDelayMs } from './poll-delay.js';
import type { PollTiming } from './poll-delay.js';

function timing(random: number, pollMs = 30_000): PollTiming {
  return { pollMs, jitter: 0.2, random: () => random };
}

describe('R55 pace of the polls', () => {
  it('is at most the interval, shortened by up to the jitter', () => {
    expect(pollDelayMs({ kind: 'ok' }, 0, timing(0))).toBe(30_000);
    expect(pollDelayMs({ kind: 'ok' }, 0, timing(0.999_999))).toBe(24_000);
  });

  it('backs off from 250 ms to the interval, spread over half of it', () => {
    const failed = { kind: 'failed', retryAfterMs: 0 } as const;
    expect([1, 2, 3, 8, 100].map((failures) => pollDelayMs(failed, failures, timing(0)))).toEqual([250, 500, 1000, 30_000, 30_000]);
    expect(pollDelayMs(failed, 3, timing(0.999_999))).toBe(500);
  });

  it("respects the server's Retry-After within the interval", () => {
    expect(pollDelayMs({ kind: 'failed', retryAfterMs: 7000 }, 1, timing(0))).toBe(7000);
    expect(pollDelayMs({ kind: 'failed', retryAfterMs: 1e12 }, 1, timing(0))).toBe(30_000);
  });

  it('slows down while the token is refused', () => {
    expect(pollDelayMs({ kind: 'unauthorized' }, 0, timing(0))).toBe(120_000);
    expect(pollDelayMs({ kind: 'unauthorized' }, 0, timing(0, 10))).toBe(5000);
  });
});
