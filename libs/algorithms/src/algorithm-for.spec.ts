import { algorithmFor } from './algorithm-for.js';
import { ALGORITHMS, type AlgorithmName } from './quota.js';
import { quota } from './quota-builder.js';

const NOW_MS = 1_767_225_600_000;
const pairs = ALGORITHMS.flatMap((from) => ALGORITHMS.filter((to) => to !== from).map((to): [AlgorithmName, AlgorithmName] => [from, to]));

describe.each(pairs)('R61 a counter of %s read as %s', (from, to) => {
  const quotaOf = (algorithm: AlgorithmName) => quota({ algorithm, limit: 10, windowMs: 60_000 });
  const { state, outcome } = algorithmFor(from).take(undefined, quotaOf(from), 10, 10, NOW_MS);
  const algorithm = algorithmFor(to);

  it('starts clean', () => {
    expect(algorithm.peek(state, quotaOf(to), 10, NOW_MS)).toMatchObject({ remaining: 10, retryMs: 0, resetMs: 0 });
    expect(algorithm.take(state, quotaOf(to), 10, 10, NOW_MS).outcome).toMatchObject({ granted: 10, remaining: 0 });
    expect(algorithm.take(state, quotaOf(to), 10, 10, NOW_MS).state).toMatchObject({ algorithm: to });
  });

  it('R7 stays as it was when nothing is charged', () => {
    expect(algorithm.take(state, quotaOf(to), 11, 11, NOW_MS).state).toBe(state);
    expect(algorithm.refund(state, quotaOf(to), 10, outcome.bucket, NOW_MS)).toEqual({ refunded: 0, state });
  });
});
