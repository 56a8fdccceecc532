import { LONGEST_RANGE_MS } from '../sums/sums-range.js';
import { readUsageCursor, writeUsageCursor } from './usage-cursor.js';

const NOW_MS = Date.parse('2026-11-30T12:00:00Z');
const RANGE = { fromMs: NOW_MS - LONGEST_RANGE_MS, toMs: NOW_MS };
const SHAPE = { bucketed: false, dimensions: 1 };
const reread = (range: typeof RANGE): unknown => readUsageCursor('d', writeUsageCursor('d', { range, after: { bucketMs: undefined, group: ['a'] } }), SHAPE);

describe('R82 cursors of usage', () => {
  it('hold a place and the range', () => {
    expect(reread(RANGE)).toEqual({ range: RANGE, after: { bucketMs: undefined, group: ['a'] } });
  });

  it.each<[string, typeof RANGE]>([
    ['longer than a question may', { ...RANGE, fromMs: RANGE.fromMs - 1 }],
    ['from the beginning of time', { ...RANGE, fromMs: 0 }],
    ['to what no date can say', { fromMs: NOW_MS, toMs: 9e15 }],
    ['that ends before it begins', { fromMs: NOW_MS, toMs: NOW_MS }],
  ])('are none with a range %s', (_name, range) => {
    expect(reread(range)).toBeUndefined();
  });

  it('are none with a part of time that no date can say', () => {
    expect(readUsageCursor('d', writeUsageCursor('d', { range: { fromMs: 9e15 - 1, toMs: 9e15 }, after: { bucketMs: 9e15 - 1, group: ['a'] } }), { bucketed: true, dimensions: 1 })).toBeUndefined();
  });
});
