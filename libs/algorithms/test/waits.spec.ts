import assert from 'node:assert/strict';
import { ALGORITHMS, algorithmFor, capacityOf, type CounterState, type Quota } from '@sluice/algorithms';
import fc from 'fast-check';
import { histories, live } from './support/histories.js';
import { quotas } from './support/quotas.js';

const RUNS = { numRuns: 300, seed: 38 };
/** Waits of more than that are saturated, or on their way there. */
const LONG_MS = 2 ** 52;

describe.each(ALGORITHMS)('R10 R70 known failure 38: %s', (name) => {
  const algorithm = algorithmFor(name);

  function checkRetry(state: CounterState | undefined, quota: Quota, need: number, nowMs: number): void {
    const { retryMs } = algorithm.peek(state, quota, need, nowMs);
    if (retryMs <= 0 || retryMs > LONG_MS) return;
    assert.equal(algorithm.peek(state, quota, need, nowMs + retryMs - 1).retryMs, 1);
    assert.equal(algorithm.take(state, quota, need, need, nowMs + retryMs - 1).outcome.granted, 0);
    assert.equal(algorithm.take(state, quota, need, need, nowMs + retryMs).outcome.granted, need);
    const halfway = Math.floor(retryMs / 2);
    assert.equal(algorithm.peek(state, quota, need, nowMs + halfway).retryMs, retryMs - halfway);
  }

  it('retryMs is exact: denied 1 ms before, granted at it, after any history, change of limit and step of the clock', () => {
    fc.assert(
      fc.property(quotas([name]), histories(), fc.double({ min: 0, max: 1, noNaN: true }), (quota, history, share) => {
        for (const { does, quota: now, nowMs, need, after, outcome } of live(quota, history)) {
          if (does === 'take') assert.equal(outcome.retryMs, algorithm.peek(after, now, need, nowMs).retryMs);
          for (const cost of [1, Math.max(1, Math.floor(share * capacityOf(now))), capacityOf(now)]) checkRetry(after, now, cost, nowMs);
        }
      }),
      RUNS,
    );
  });

  it('resetMs is exact: the counter is wholly free at it, and not 1 ms before', () => {
    fc.assert(
      fc.property(quotas([name]), histories(), (quota, history) => {
        for (const { quota: now, nowMs, outcome, after } of live(quota, history)) {
          const { resetMs } = outcome;
          if (resetMs === 0) assert.equal(outcome.remaining, capacityOf(now));
          if (resetMs === 0 || resetMs > LONG_MS) continue;
          assert.equal(algorithm.peek(after, now, 0, nowMs + resetMs - 1).resetMs, 1);
          const free = algorithm.peek(after, now, 0, nowMs + resetMs);
          assert.deepEqual([free.resetMs, free.remaining], [0, capacityOf(now)]);
        }
      }),
      RUNS,
    );
  });
});
