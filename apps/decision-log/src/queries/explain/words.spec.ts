import { callerWords } from './request-words.js';
import { listOf, perWindow, plain, spanOf, timeOf } from './words.js';

describe('R82 words for customers', () => {
  it.each([[100, 'per 100 milliseconds'], [1_000, 'per second'], [10_000, 'per 10 seconds'], [60_000, 'per minute'], [90_000, 'per 90 seconds'], [5_400_000, 'per 90 minutes'], [3_600_000, 'per hour'], [86_400_000, 'per day'], [604_800_000, 'per week'], [1_209_600_000, 'per 2 weeks'], [864_000_000, 'per 10 days'], [1_234, 'per 1.234 seconds']])('a window of %i ms is %s', (ms, words) => {
    expect(perWindow(ms)).toBe(words);
  });

  it.each([[1, '1 second'], [119, '119 seconds'], [120, 'about 2 minutes'], [3_541, 'about 60 minutes'], [7_200, 'about 2 hours'], [172_800, 'about 2 days'], [31_536_000, 'about 365 days']])('%i s are %s', (seconds, words) => {
    expect(spanOf(seconds)).toBe(words);
  });

  it('a time has its day where that is another one', () => {
    const beside = Date.parse('2026-12-31T23:59:59Z');
    expect(timeOf(beside, beside)).toBe('23:59:59 UTC');
    expect(timeOf(beside + 1_000, beside)).toBe('00:00:00 UTC on 1 January 2027');
  });

  it('what a client wrote cannot break a line, nor turn it round', () => {
    expect(plain('a\r\nb\u2028c\u202Ed\0')).toBe('a b c d');
    expect(callerWords({ key_id: '\n', tenant_id: 'acme' })).toBe(' of your account acme');
    expect(callerWords({})).toBe('');
  });

  it('lists', () => {
    expect([listOf([]), listOf(['a']), listOf(['a', 'b']), listOf(['a', 'b', 'c'])]).toEqual(['', 'a', 'a and b', 'a, b and c']);
  });
});
