import assert from 'node:assert/strict';
import fc from 'fast-check';
import { mulDiv, mulDivUp } from './mul-div.js';

const MAX = Number.MAX_SAFE_INTEGER;

/** Integers of every size up to 2^53-1, with the edges. */
const anySize = fc.oneof(
  fc.constantFrom(0, 1, 2, 3, 2 ** 26, 2 ** 27 - 1, 2 ** 52, 2 ** 52 + 1, MAX - 1, MAX),
  fc.tuple(fc.integer({ min: 0, max: 52 }), fc.integer({ min: 0, max: MAX })).map(([bits, any]) => Math.floor(any / 2 ** bits)),
);

describe('R10 mulDiv', () => {
  it('is exact at every size, against BigInt', () => {
    fc.assert(
      fc.property(anySize, anySize, anySize, (a, b, c0) => {
        const c = Math.max(1, c0);
        const exact = (BigInt(a) * BigInt(b)) / BigInt(c);
        const rest = (BigInt(a) * BigInt(b)) % BigInt(c);
        const saturated = exact > BigInt(MAX);
        const expected = saturated ? { quotient: MAX, remainder: 0 } : { quotient: Number(exact), remainder: Number(rest) };
        assert.deepEqual(mulDiv(a, b, c), expected);
        const up = exact + (rest > 0n ? 1n : 0n);
        assert.equal(mulDivUp(a, b, c), up > BigInt(MAX) ? MAX : Number(up));
      }),
      { numRuns: 20_000, seed: 53 },
    );
  });

  it.each([
    [1_000_000_000, 86_400_000, 86_400_000, 1_000_000_000, 0],
    [MAX, MAX, MAX, MAX, 0],
    [MAX, MAX - 1, MAX, MAX - 1, 0],
    [MAX - 1, MAX - 1, MAX, MAX - 2, 1],
    [94_906_267, 94_906_267, 2, 4_503_599_757_937_644, 1],
    [MAX, MAX, MAX - 1, MAX, 0],
    [MAX, 2, 1, MAX, 0],
    [0, MAX, 7, 0, 0],
  ])('%i x %i / %i', (a, b, c, quotient, remainder) => {
    expect(mulDiv(a, b, c)).toEqual({ quotient, remainder });
    expect(mulDiv(b, a, c)).toEqual({ quotient, remainder });
  });
});
