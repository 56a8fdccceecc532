import fc from 'fast-check';
import { histories, live } from '../test/support/histories.js';
import { quotas } from '../test/support/quotas.js';
import { algorithmFor } from './algorithm-for.js';
import type { CounterState } from './counter-state.js';

const ALGORITHMS = ['fixed_window', 'sliding_counter', 'token_bucket', 'leaky_bucket', 'gcra'] as const;

describe('R28 what is in use', () => {
  it.each(ALGORITHMS)('%s: charged to an empty counter, each part to its bucket, makes that one the same', (algorithm) => {
    fc.assert(
      fc.property(quotas([algorithm]), histories({ back: false, change: false, charges: true }), (q, history) => {
        const events = live({ ...q, chargeDenied: false }, history);
        const last = events.at(-1);
        if (last === undefined) return;
        const pure = algorithmFor(algorithm);
        const { after: state, nowMs } = last;
        let copy: CounterState | undefined;
        for (const { bucket, amount } of pure.usage(state, q, nowMs).parts) copy = pure.charge(copy, q, amount, nowMs, false, bucket).state;
        const before = pure.peek(state, q, 1, nowMs);
        const after = pure.peek(copy, q, 1, nowMs);
        // A level that drains is moved in whole permits: what is left of one counts as one.
        expect(after.remaining).toBe(before.remaining);
      }),
      { numRuns: 200, seed: 28 },
    );
  });
});
