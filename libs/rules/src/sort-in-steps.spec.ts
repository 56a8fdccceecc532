import fc from 'fast-check';
import { sortInSteps } from './sort-in-steps.js';
import { atOnce } from './steps.js';

describe('sorting in steps', () => {
  it('equals a stable sort in one go', () => {
    const items = fc.array(fc.tuple(fc.nat({ max: 30 }), fc.nat()), { maxLength: 2_000, size: 'max' });
    fc.assert(
      fc.property(items, (list) => {
        const before = [...list];
        const compare = ([a]: readonly [number, number], [b]: readonly [number, number]): number => a - b;
        expect(atOnce(sortInSteps(list, compare))).toEqual(list.toSorted(compare));
        expect(list).toEqual(before);
      }),
      { seed: 6, numRuns: 200 },
    );
  });

  it('takes a step for each few hundred comparisons', () => {
    let comparisons = 0;
    let most = 0;
    const count = (a: number, b: number): number => {
      comparisons += 1;
      return a - b;
    };
    for (const sorting = sortInSteps(Array.from({ length: 10_000 }, (_, at) => (at * 7_919) % 10_007), count); sorting.next().done !== true; comparisons = 0) most = Math.max(most, comparisons);
    expect(most).toBeLessThan(1_000);
  });
});
