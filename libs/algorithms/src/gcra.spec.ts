import assert from 'node:assert/strict';
import fc from 'fast-check';
import { histories, live } from '../test/support/histories.js';
import { quotas } from '../test/support/quotas.js';
import type { AlgorithmName } from './quota.js';
import { gcra } from './gcra.js';

describe('R2 gcra', () => {
  it.each(['token_bucket', 'leaky_bucket'] as const)('answers as %s does, integer for integer, whatever happens', (dual: AlgorithmName) => {
    fc.assert(
      fc.property(quotas(['gcra']), histories(), (quota, history) => {
        const others = live({ ...quota, algorithm: dual }, history);
        for (const [i, event] of live(quota, history).entries()) {
          const other = others[i];
          // Where a lowered limit makes the backlog longer than a date can say, the arrival time saturates.
          if (other === undefined || other.outcome.resetMs > 2 ** 52) return;
          assert.deepEqual(event.outcome, other.outcome);
          assert.equal(event.refunded, other.refunded);
        }
      }),
      { numRuns: 800, seed: 50 },
    );
  });

  it('R10 saturates where a lowered limit makes the backlog longer than a date can say, and lets nothing pass', () => {
    const quota = { algorithm: 'gcra', limit: 2 ** 53 - 1, windowMs: 366 * 86_400_000, burst: 2 ** 53 - 1, subBuckets: 1, shape: false, chargeDenied: false } as const;
    const nowMs = 1_767_225_600_000;
    const { state } = gcra.take(undefined, quota, quota.burst, quota.burst, nowMs);
    const lowered = { ...quota, limit: 1, burst: 1 };
    expect(gcra.take(state, lowered, 1, 1, nowMs)).toMatchObject({ state, outcome: { granted: 0, remaining: 0 } });
    expect(gcra.peek(state, lowered, 1, nowMs + 100 * quota.windowMs)).toMatchObject({ remaining: 0 });
    expect(gcra.peek(state, quota, 1, nowMs)).toMatchObject({ remaining: 0 });
  });
});
