import { decisionOver, policyOutcome, refusal } from '../test/decision-fixture.js';
import { rateLimitHeaders } from './rate-limit-headers.js';

describe('R70 rate limit fields', () => {
  it('states limit, remaining and reset in epoch seconds, and both IETF fields', () => {
    expect(rateLimitHeaders(decisionOver([policyOutcome({ limit: 100, windowMs: 60_000, remaining: 50, resetMs: 29_001 })]))).toEqual({
      'X-RateLimit-Limit': '100',
      'X-RateLimit-Remaining': '50',
      'X-RateLimit-Reset': '1700000030',
      'RateLimit-Policy': '"default";q=100;w=60',
      RateLimit: '"default";r=50;t=30',
    });
  });

  it('lists every policy in the order of the rules, and what is left with the tightest first', () => {
    const day = policyOutcome({ policy: 'daily', limit: 1000, windowMs: 86_400_000, remaining: 900, resetMs: 86_400_000 });
    const burst = policyOutcome({ policy: 'burst', limit: 10, windowMs: 60_000, remaining: 1, resetMs: 60_000 });
    const headers = rateLimitHeaders(decisionOver([day, burst], { deciding: burst }));
    expect(headers['RateLimit-Policy']).toBe('"daily";q=1000;w=86400, "burst";q=10;w=60');
    expect(headers['RateLimit']).toBe('"burst";r=1;t=60, "daily";r=900;t=86400');
    expect(headers['X-RateLimit-Limit']).toBe('10');
  });

  it('known failure 65: a refusal carries the same fields and one plain Retry-After', () => {
    const short = policyOutcome({ policy: 'short', allowed: false, remaining: 0, retryMs: 400, resetMs: 900, reason: 'quota' });
    const long = policyOutcome({ policy: 'long', allowed: false, limit: 50, windowMs: 60_000, remaining: 0, retryMs: 7200, resetMs: 60_000, reason: 'quota' });
    const other = policyOutcome({ policy: 'other', limit: 9, windowMs: 3_600_000, remaining: 8, resetMs: 3_000_000 });
    const headers = rateLimitHeaders(decisionOver([short, long, other], { deciding: long, allowed: false, retryAfterMs: 7200 }));
    expect(headers).toEqual({
      'X-RateLimit-Limit': '50',
      'X-RateLimit-Remaining': '0',
      'X-RateLimit-Reset': '1700000060',
      'RateLimit-Policy': '"short";q=5;w=1, "long";q=50;w=60, "other";q=9;w=3600',
      RateLimit: '"long";r=0;t=8, "short";r=0;t=1, "other";r=8',
      'Retry-After': '8',
      'Cache-Control': 'no-store',
    });
  });

  it.each([
    [1, '1'],
    [999, '1'],
    [1000, '1'],
    [1001, '2'],
    [1900, '2'],
    [59_001, '60'],
  ])('known failure 35: a wait of %d ms is Retry-After %s, never rounded down', (retryMs, seconds) => {
    expect(rateLimitHeaders(refusal(retryMs))['Retry-After']).toBe(seconds);
  });

  it('known failure 62: Reset is there while refused, and not before Retry-After', () => {
    const headers = rateLimitHeaders(refusal(1500, { resetMs: 0 }));
    expect(headers['X-RateLimit-Reset']).toBe('1700000002');
    expect(rateLimitHeaders(refusal(1, { resetMs: 0 }))['X-RateLimit-Reset']).toBe('1700000001');
  });

  it('known failure 4: a cost that can never pass has no Retry-After', () => {
    const headers = rateLimitHeaders(refusal(-1, { reason: 'cost_exceeds_limit', remaining: 5, resetMs: 0 }));
    expect(headers['Retry-After']).toBeUndefined();
    expect(headers['RateLimit']).toBe('"default";r=5');
    expect(headers['X-RateLimit-Reset']).toBe('1700000000');
    expect(headers['Cache-Control']).toBe('no-store');
  });

  it('names a wait while the store is away', () => {
    const away = policyOutcome({ allowed: false, reason: 'store_unavailable', remaining: 0, resetMs: 0, source: 'fallback' });
    expect(rateLimitHeaders(decisionOver([away]))['Retry-After']).toBe('1');
    expect(rateLimitHeaders(decisionOver([away], { retryAfterMs: 2500 }))['Retry-After']).toBe('3');
  });

  it('known failure 75: a refusal must not be stored by a cache; an allowed answer is left to its owner', () => {
    expect(rateLimitHeaders(refusal(1))['Cache-Control']).toBe('no-store');
    expect(rateLimitHeaders(decisionOver([policyOutcome()]))['Cache-Control']).toBeUndefined();
  });

  it('keeps to structured field limits: w of at least 1, integers of 15 digits', () => {
    const wide = policyOutcome({ limit: Number.MAX_SAFE_INTEGER, remaining: Number.MAX_SAFE_INTEGER, windowMs: 100, resetMs: 0 });
    const headers = rateLimitHeaders(decisionOver([wide]));
    expect(headers['RateLimit-Policy']).toBe('"default";q=999999999999999;w=1');
    expect(headers['RateLimit']).toBe('"default";r=999999999999999;t=0');
    expect(headers['X-RateLimit-Limit']).toBe('9007199254740991');
    const uneven = policyOutcome({ policy: 'a"b\\c\né', windowMs: 2500 });
    expect(rateLimitHeaders(decisionOver([uneven]))['RateLimit-Policy']).toBe('"a\\"b\\\\c??";q=5;w=3');
  });

  it('states nothing when no rule matched', () => {
    expect(rateLimitHeaders(decisionOver([]))).toEqual({});
  });
});
