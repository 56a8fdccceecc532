import { instantOf } from './is-instant.js';
import { timeRange } from './time-range.js';

describe('R82 moments in a question', () => {
  it.each<[string, number]>([
    ['1970-01-01T00:00:00Z', 0],
    ['1970-01-01T14:00:00+14:00', 0],
    ['1970-01-01T00:00:00-14:00', 50_400_000],
    ['2026-01-31T14:02:00.5+01:00', Date.UTC(2026, 0, 31, 13, 2, 0, 500)],
    ['9999-12-31T23:59:59.999Z', 253_402_300_799_999],
  ])('%s', (text, ms) => {
    expect(instantOf(text)).toBe(ms);
  });

  it.each(['1970-01-01T00:00:00+14:00', '1970-01-01T00:00:00+00:01', '9999-12-31T23:59:59-00:01', '1969-12-31T23:59:59Z', '2026-02-30T00:00:00Z', '2026-01-31T14:02:00', 'yesterday', 5, undefined])('%s is none', (text) => {
    expect(instantOf(text)).toBeUndefined();
  });

  it('the hour that is looked back by default does not begin before 1970', () => {
    expect(timeRange({ to: '1970-01-01T00:30:00Z' })).toEqual({ fromMs: 0, toMs: 1_800_000 });
  });
});
