import { ALGORITHMS, quota, type QuotaInput } from '@sluice/algorithms';
import { decodeRecord, encodeRecord } from './reservation-record.js';

const QUOTAS: readonly QuotaInput[] = [
  ...ALGORITHMS.map((algorithm) => ({ algorithm, limit: 100, windowMs: 60_000 })),
  { algorithm: 'sliding_counter', limit: Number.MAX_SAFE_INTEGER, windowMs: 100, subBuckets: 10, chargeDenied: true },
  { algorithm: 'leaky_bucket', limit: 5, windowMs: 1_000, burst: 50, shape: true },
  { algorithm: 'fixed_window', limit: 5, calendar: { unit: 'month', timeZone: 'Europe/Berlin' } },
];

describe('R14 the record of a reservation', () => {
  it('comes back from text as it was, quotas of every kind included', () => {
    const record = {
      estimate: 40,
      charges: QUOTAS.map((input, at) => ({ key: `s{k"${at}}|\n~é`, quota: quota(input), bucket: Number.MAX_SAFE_INTEGER - at, at: 'store' as const })),
    };
    expect(decodeRecord(encodeRecord(record))).toEqual(record);
    expect(decodeRecord(encodeRecord({ estimate: 1, charges: [] }))).toEqual({ estimate: 1, charges: [] });
  });

  it('is short: at most 100 bytes beside the key', () => {
    const text = encodeRecord({ estimate: 4_000, charges: [{ key: '', quota: quota({ limit: 100_000, windowMs: 60_000 }), bucket: 29_500_000, at: 'store' }] });
    expect(text.length).toBeLessThanOrEqual(100);
  });

  it('gives what makes sense of it here, and says how many charges do not', () => {
    const good = { key: 'good', quota: quota({ limit: 5, windowMs: 1_000 }), bucket: 1, at: 'store' as const };
    const { limit, windowMs } = good.quota;
    const entries = [['undrained', 1, { algorithm: 'gcra', limit: 1, windowMs: 31_622_400_000, burst: 100_000 }], ['good', 1, { limit, windowMs }], ['far', 1, { algorithm: 'fixed_window', limit, calendar: { unit: 'day', timeZone: 'Mars/Olympus' } }], 7];
    expect(decodeRecord(JSON.stringify([1, 40, entries]))).toEqual({ estimate: 40, charges: [good], illegible: 3 });
  });

  it.each([
    '', 'null', '5', '{}', '[]', '[1]', '[2,5,[]]', '[1,-1,[]]', '[1,1.5,[]]', '[1,"5",[]]', '[1,5,{}]', '[1,5,[5]]', '[1,5,[["k",-1,{"limit":1,"windowMs":100}]]]',
    '[1,5,[[5,1,{"limit":1,"windowMs":100}]]]', '[1,5,[["k",1]]]', '[1,5,[["k",1,{"limit":0,"windowMs":100}]]]', '[1,5,[["k",1,{"limit":1,"windowMs":100,"algorithm":"none"}]]]',
    '[1,5,[["k",1,{"limit":1,"windowMs":100,"calendar":null}]]]', '[1,5,[["k",1,null]]]', '[1,5',
  ])('is nothing in %j', (text) => {
    expect(decodeRecord(text)).toBeUndefined();
  });
});
