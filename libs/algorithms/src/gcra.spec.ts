import assert from 'node:assert/strict';
import fc from 'fast-check';
import { histories, live } from '../test/support/histories.js';
import { quotas } from '../test/support/quotas.js';
import type { AlgorithmName } from './quota.js';
import { gcra } from './gcra.js';
import { quota } from './quota-builder.js';

describe('R2 gcra', () => {
  it.each(['token_bucket', 'leaky_bucket'] as const)('answers as %s does, integer for integer, whatever happens', (dual: AlgorithmName) => {
    fc.assert(
      fc.property(quotas(['gcra']), histories(), (first, history) => {
        const others = live({ ...first, algorithm: dual }, history);
        for (const [i, event] of live(first, history).entries()) {
          const other = others[i];
          // Where a lowered limit makes the backlog longer than a date can say, the arrival time saturates.
          if (other === undefined || other.outcome.bucket - other.nowMs > 2 ** 52) return;
          assert.deepEqual(event.outcome, other.outcome);
          assert.equal(event.refunded, other.refunded);
        }
      }),
      { numRuns: 800, seed: 50 },
    );
  });

  it('R9 gives back what is left of a charge to the fraction of a ms, and no more', () => {
    const q = quota({ algorithm: 'gcra', limit: 3, windowMs: 1000 });
    const nowMs = 1_767_225_600_000;
    const first = gcra.take(undefined, q, 1, 1, nowMs);
    const second = gcra.take(first.state, q, 1, 1, nowMs);
    expect(first.outcome.bucket).toBe(nowMs + 334);
    // Both drain in 666 2/3 ms; of the first, 333 are left at the most.
    const { refunded, state } = gcra.refund(second.state, q, 1, first.outcome.bucket, nowMs + 1);
    expect(refunded).toBe(1);
    expect(state).toEqual({ algorithm: 'gcra', tatMs: nowMs + 333, frac: 2, limit: 3, atMs: nowMs + 1, endsAtMs: nowMs + 334 });
  });

  it('R10 saturates where a lowered limit makes the backlog longer than a date can say, and lets nothing pass until what was used has drained as it was charged', () => {
    const huge = quota({ algorithm: 'gcra', limit: 2 ** 53 - 1, windowMs: 366 * 86_400_000 });
    const nowMs = 1_767_225_600_000;
    const { state } = gcra.take(undefined, huge, huge.burst, huge.burst, nowMs);
    const lowered = { ...huge, limit: 1, burst: 1 };
    expect(gcra.take(state, lowered, 1, 1, nowMs)).toMatchObject({ state, outcome: { granted: 0, remaining: 0 } });
    expect(gcra.peek(state, lowered, 1, nowMs + huge.windowMs - 1)).toMatchObject({ remaining: 0, retryMs: 1 });
    expect(gcra.peek(state, lowered, 1, nowMs + huge.windowMs)).toMatchObject({ remaining: 1, retryMs: 0 });
    expect(gcra.peek(state, huge, 1, nowMs)).toMatchObject({ remaining: 0 });
  });
});
