import { verdict } from './verdict.js';

describe('the verdict of a benchmark', () => {
  it.each([
    [[0.5, 0.6, 0.45], 'met (by 3 of 3 rounds)'],
    [[0.5, 0.6, 0.39], 'no verdict, rounds disagree (by 2 of 3 rounds)'],
    [[0.3, 0.2, 0.6], 'no verdict, rounds disagree (by 1 of 3 rounds)'],
    [[0.3, 0.2, 0.1], 'MISSED (by 0 of 3 rounds)'],
    [[0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.1, 0.1], 'met (by 7 of 9 rounds)'],
    [[0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.1, 0.1, 0.1], 'no verdict, rounds disagree (by 6 of 9 rounds)'],
  ])('of %j is: %s', (rounds, said) => {
    expect(verdict('at least 0.4', rounds, (ratio) => ratio >= 0.4)).toBe(`goal, at least 0.4: ${said}`);
  });
});
