import fc from 'fast-check';
import { quotas } from '../test/support/quotas.js';
import type { Quota } from './quota.js';
import { quota, type QuotaInput } from './quota-builder.js';

const DAY_MS = 86_400_000;
const plain: QuotaInput = { limit: 10, windowMs: 1000 };

describe('quota', () => {
  it('fills in the defaults', () => {
    expect(quota(plain)).toEqual({
      algorithm: 'sliding_counter',
      limit: 10,
      windowMs: 1000,
      burst: 10,
      subBuckets: 1,
      shape: false,
      chargeDenied: false,
    } satisfies Quota);
  });

  it.each([
    ['hour', 3_600_000],
    ['day', DAY_MS],
    ['week', 7 * DAY_MS],
    ['month', 31 * DAY_MS],
    ['year', 366 * DAY_MS],
  ] as const)('takes the longest %s as the nominal window of a calendar', (unit, windowMs) => {
    const calendar = { unit, timeZone: 'Africa/Cairo' };
    expect(quota({ algorithm: 'fixed_window', limit: 1, calendar })).toMatchObject({ calendar, windowMs });
  });

  it('leaves a quota as it is', () => {
    fc.assert(fc.property(quotas(), (made) => expect(quota(made)).toEqual(made)), { seed: 7 });
  });

  it('R10 takes what lies at the edges', () => {
    expect(quota({ limit: 1, windowMs: 100 })).toMatchObject({ limit: 1, windowMs: 100 });
    expect(quota({ limit: 2 ** 53 - 1, windowMs: 366 * DAY_MS })).toMatchObject({ burst: 2 ** 53 - 1 });
    expect(quota({ algorithm: 'token_bucket', limit: 1, windowMs: 366 * DAY_MS, burst: 2 ** 53 - 1 })).toMatchObject({ limit: 1 });
    expect(quota({ ...plain, subBuckets: 1000 })).toMatchObject({ subBuckets: 1000 });
  });

  const broken: readonly (readonly [string, Partial<Record<keyof QuotaInput, unknown>>, RegExp])[] = [
    ['limit 0', { limit: 0 }, /^limit must be an integer from 1 to 2\^53-1, not 0$/],
    ['a negative limit', { limit: -1 }, /^limit/],
    ['a fraction', { limit: 1.5 }, /^limit/],
    ['NaN', { limit: NaN }, /^limit/],
    ['2^53', { limit: 2 ** 53 }, /^limit/],
    ['a string', { limit: '5' }, /^limit/],
    ['no limit', { limit: undefined }, /^limit .* not undefined$/],
    ['a window below 100 ms', { windowMs: 99 }, /^windowMs must be an integer from 100 to 31622400000, not 99$/],
    ['a window above 366 days', { windowMs: 366 * DAY_MS + 1 }, /^windowMs/],
    ['half a ms', { windowMs: 100.5 }, /^windowMs/],
    ['no window', { windowMs: undefined }, /^windowMs .* not undefined$/],
    ['an unknown algorithm', { algorithm: 'tokens' }, /^algorithm must be one of fixed_window, .* not tokens$/],
    ['burst 0', { algorithm: 'gcra', burst: 0 }, /^burst/],
    ['a burst of a window algorithm', { burst: 11 }, /^burst is for token_bucket, leaky_bucket and gcra, not for sliding_counter$/],
    ['a burst that gcra cannot keep', { algorithm: 'gcra', burst: 2 ** 53 - 1, limit: 1 }, /^burst must drain within 2\^51 ms/],
    ['no sub-bucket', { subBuckets: 0 }, /^subBuckets/],
    ['too many sub-buckets', { subBuckets: 1001 }, /^subBuckets/],
    ['sub-buckets of another algorithm', { algorithm: 'sliding_log', subBuckets: 2 }, /^subBuckets is for sliding_counter/],
    ['a window that sub-buckets do not divide', { subBuckets: 3 }, /^windowMs \(1000\) must be divisible by subBuckets \(3\)$/],
    ['a shape of another algorithm', { algorithm: 'token_bucket', shape: true }, /^shape is for leaky_bucket/],
    ['a calendar of another algorithm', { calendar: { unit: 'day', timeZone: 'UTC' } }, /^calendar is for fixed_window, not for sliding_counter$/],
    ['an unknown unit', { algorithm: 'fixed_window', calendar: { unit: 'minute', timeZone: 'UTC' } }, /^calendar.unit must be one of hour, /],
    ['an unknown zone', { algorithm: 'fixed_window', calendar: { unit: 'day', timeZone: 'Mars/Base' } }, /^calendar.timeZone must be an IANA time zone, not Mars\/Base$/],
  ];

  it.each(broken)('R57 refuses %s', (_name, change, message) => {
    const input = Object.assign({}, plain, change);
    expect(() => quota(input)).toThrow(RangeError);
    expect(() => quota(input)).toThrow(message);
  });
});
