import { creditOf } from './credit.js';
import { quota } from './quota-builder.js';

const NOW_MS = 1_767_225_600_000;

describe('R9 creditOf', () => {
  const q = quota({ algorithm: 'token_bucket', limit: 3, windowMs: 1000 });

  it.each([
    [10, -1, 0, 0],
    [10, 0, 0, 0],
    [10, 1, 0, 3],
    [10, 333, 0, 999],
    [10, 334, 1, 2],
    [10, 3333, 9, 999],
    [10, 3334, 10, 0],
    [10, 1_000_000, 10, 0],
    [1, 333, 0, 999],
    [1, 334, 1, 0],
    [0, 500, 0, 0],
  ])('of %i permits, drained in %i ms, %i and %i/1000', (amount, inMs, whole, part) => {
    expect(creditOf(amount, NOW_MS + inMs, q, NOW_MS)).toEqual({ whole, part });
  });
});
