import { QueryTooLarge } from '../../store/store-faults.js';
import { BUCKET_NAMES, BUCKETS, bucketsIn, checkBuckets, fittingBucket } from './bucket.js';

const HOUR = 3_600_000;
const DAY = 86_400_000;

describe('R82 parts of time', () => {
  it.each<[number, number, number, number]>([
    [0, 1, 1_000, 1],
    [0, 1_000, 1_000, 1],
    [0, 1_001, 1_000, 2],
    [999, 1_001, 1_000, 2],
    [1_000, 2_000, 1_000, 1],
    [DAY - 1, DAY + 1, DAY, 2],
    [0, 31 * DAY, DAY, 31],
  ])('from %i to %i in %i: %i, as counted one by one', (fromMs, toMs, bucketMs, count) => {
    expect(bucketsIn({ fromMs, toMs }, bucketMs)).toBe(count);
  });

  it('an answer holds 10,000; more is refused with what would do', () => {
    const range = (seconds: number) => ({ fromMs: 0, toMs: seconds * 1_000 });
    expect(() => checkBuckets(range(10_000), '1s')).not.toThrow();
    expect(() => checkBuckets(range(10_001), '1s')).toThrow(QueryTooLarge);
    expect(() => checkBuckets(range(10_001), '1s')).toThrow('10001 buckets of 1s, and an answer has at most 10000. bucket=10s would do');
    expect(() => checkBuckets({ fromMs: 0, toMs: 31 * DAY }, '1m')).toThrow('bucket=5m would do');
    for (const name of BUCKET_NAMES.filter((each) => BUCKETS[each] >= 300_000)) expect(() => checkBuckets({ fromMs: 0, toMs: 31 * DAY }, name)).not.toThrow();
  });

  it('the shortest that fits', () => {
    expect([fittingBucket({ fromMs: 0, toMs: HOUR }, 200), fittingBucket({ fromMs: 0, toMs: 60_000 }, 200), fittingBucket({ fromMs: 0, toMs: 31 * DAY }, 200), fittingBucket({ fromMs: 0, toMs: 31 * DAY }, 1)]).toEqual(['1m', '1s', '1d', '1d']);
  });
});
