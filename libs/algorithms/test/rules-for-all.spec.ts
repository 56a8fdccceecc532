import assert from 'node:assert/strict';
import { ALGORITHMS, algorithmFor, capacityOf, NEVER, type CounterState } from '@sluice/algorithms';
import fc from 'fast-check';
import { freezeDeep, numbersIn } from './support/freeze.js';
import { histories, live, type Event } from './support/histories.js';
import { quotas, withLimit } from './support/quotas.js';

const RUNS = { numRuns: 250, seed: 20_261_130 };
const MAX = Number.MAX_SAFE_INTEGER;

describe.each(ALGORITHMS)('%s', (name) => {
  const algorithm = algorithmFor(name);
  const drains = name === 'token_bucket' || name === 'leaky_bucket' || name === 'gcra';
  const always = (check: (event: Event) => void): void =>
    fc.assert(fc.property(quotas([name]), histories({ charges: true }), (quota, history) => live(quota, history).forEach(check)), RUNS);

  it('R10 no number of any outcome or state is ever negative, NaN or a fraction', () => {
    always(({ outcome, after, refunded }) => {
      const { retryMs, ...others } = outcome;
      const wrong = [retryMs === NEVER ? 0 : retryMs, refunded, ...numbersIn(others), ...numbersIn(after)].filter(
        (value) => !Number.isSafeInteger(value) || value < 0 || Object.is(value, -0),
      );
      assert.deepEqual(wrong, []);
      assert.ok(outcome.bucketEndsInMs >= 1);
    });
  });

  it('R9 R21 a take grants what is needed up to what is wanted, or nothing', () => {
    always(({ does, quota, need, want, nowMs, before, outcome }) => {
      if (does !== 'take') return;
      const there = algorithm.peek(before, quota, 0, nowMs).remaining;
      const most = quota.shape ? need : want;
      assert.equal(outcome.granted, there >= need ? Math.min(most, there) : 0);
      if (outcome.granted > 0) assert.equal(outcome.remaining, there - outcome.granted);
      assert.ok(outcome.remaining <= capacityOf(quota));
      assert.equal(outcome.nowMs, nowMs);
    });
  });

  it('R3 R61 a state that is wholly free by what its write said is as good as none, whatever the limit has become', () => {
    fc.assert(
      fc.property(quotas([name]), histories({ charges: true, back: false }), (quota, history) => {
        let freeAtMs = Infinity;
        for (const { does, quota: now, nowMs, need, want, before, after, outcome, refunded } of live(quota, history)) {
          if (before !== undefined && freeAtMs <= nowMs) {
            assert.deepEqual(algorithm.peek(before, now, need, nowMs), algorithm.peek(undefined, now, need, nowMs));
            assert.deepEqual(algorithm.usage(before, now, nowMs), algorithm.usage(undefined, now, nowMs));
            if (does === 'take') assert.deepEqual(algorithm.take(undefined, now, need, want, nowMs).outcome, outcome);
            if (does === 'charge') assert.deepEqual(algorithm.charge(undefined, now, need, nowMs).outcome, outcome);
            assert.equal(refunded, 0);
          }
          if (after !== before) freeAtMs = nowMs + outcome.resetMs;
        }
      }),
      RUNS,
    );
  });

  it('R7 a denied take leaves the very same state, and a cost above the capacity does so even when denials are charged', () => {
    always(({ does, quota, need, before, after, outcome }) => {
      if (does === 'take' && outcome.granted === 0 && (!quota.chargeDenied || need > capacityOf(quota))) assert.equal(after, before);
    });
  });

  it('R7 a charged denial adds the need to the use, up to twice the capacity', () => {
    always(({ does, quota, need, before, after, outcome, nowMs }) => {
      if (does !== 'take' || outcome.granted > 0 || !quota.chargeDenied || need > capacityOf(quota)) return;
      // Twice the capacity and more, so that the use shows as what does not remain.
      const reader = { ...quota, limit: quota.limit, burst: Math.min(MAX, 4 * capacityOf(quota)) };
      const use = (state: CounterState | undefined): number => reader.burst - algorithm.peek(state, reader, 0, nowMs).remaining;
      const used = use(before);
      if (reader.burst < MAX) assert.equal(use(after), used + Math.min(need, Math.max(0, 2 * capacityOf(quota) - used)));
      if (used >= 2 * capacityOf(quota)) assert.equal(after, before);
    });
  });

  it('R14 a charge adds to the use what it says, whatever is left, up to the ceiling', () => {
    always(({ does, quota, need, before, after, outcome, nowMs }) => {
      if (does !== 'charge') return;
      const reader = { ...quota, burst: MAX };
      const use = (state: CounterState | undefined): number => MAX - algorithm.peek(state, reader, 0, nowMs).remaining;
      const ceiling = drains ? Math.min(MAX, 2 * capacityOf(quota)) : MAX;
      assert.equal(outcome.granted, Math.min(need, Math.max(0, ceiling - use(before))));
      assert.equal(use(after), use(before) + outcome.granted);
      if (outcome.granted === 0) assert.equal(after, before);
    });
  });

  it('R14 debt is paid off when it says: denied 1 ms before, granted then', () => {
    always(({ does, quota, after, outcome, nowMs }) => {
      if (does !== 'charge' || outcome.retryMs === 0 || outcome.retryMs > 2 ** 52) return;
      const later = (ms: number): number => algorithm.take(after, quota, 1, MAX, nowMs + ms).outcome.granted;
      assert.deepEqual([later(0), later(outcome.retryMs - 1)], [0, 0]);
      assert.ok(later(outcome.retryMs) > 0);
    });
  });

  it('R14 what holds any use is not charged when only an absent counter is meant', () => {
    always(({ quota, need, before, nowMs }) => {
      const used = capacityOf(quota) - algorithm.peek(before, quota, 0, nowMs).remaining;
      const charged = algorithm.charge(before, quota, need, nowMs, true);
      if (used > 0) assert.equal(charged.state, before);
      else assert.deepEqual(charged, algorithm.charge(before, quota, need, nowMs));
    });
  });

  it('R9 cost 0 and a peek change nothing and say what a take would', () => {
    always(({ does, quota, need, nowMs, before, outcome }) => {
      if (does !== 'take') return;
      const frozen = freezeDeep(before);
      const peeked = algorithm.peek(frozen, quota, need, nowMs);
      const reading = algorithm.peek(frozen, quota, 0, nowMs);
      assert.deepEqual([reading.granted, reading.remaining], [0, peeked.remaining]);
      assert.deepEqual([peeked.granted, peeked.bucketEndsInMs], [0, outcome.bucketEndsInMs]);
      if (!drains) assert.equal(peeked.bucket, outcome.bucket);
      if (outcome.granted > 0) assert.deepEqual([peeked.retryMs, peeked.delayMs], [0, outcome.delayMs]);
      else if (!quota.chargeDenied) assert.deepEqual(peeked, outcome);
    });
  });

  it('R9 R14 cost 0 says whether the counter is beyond its limit, and until when to the ms', () => {
    always(({ quota, nowMs, after }) => {
      const { retryMs } = algorithm.peek(after, quota, 0, nowMs);
      const used = MAX - algorithm.peek(after, { ...quota, burst: MAX }, 0, nowMs).remaining;
      assert.equal(retryMs > 0, used > capacityOf(quota));
      if (retryMs === 0 || retryMs > 2 ** 52) return;
      const later = (ms: number): boolean => algorithm.peek(after, quota, 0, nowMs + ms).retryMs > 0;
      assert.deepEqual([later(retryMs - 1), later(retryMs)], [true, false]);
    });
  });

  it('states are values: nothing changes one that was handed out', () => {
    always(({ does, quota, need, want, nowMs, before }) => {
      if (does === 'refund') return;
      const frozen = freezeDeep(before);
      const { state } = algorithm.take(frozen, quota, need, want, nowMs);
      algorithm.refund(freezeDeep(state), quota, need, algorithm.peek(state, quota, 0, nowMs).bucket, nowMs);
      assert.deepEqual(algorithm.take(frozen, quota, need, want, nowMs).state, state);
    });
  });

  it('R9 a refund gives back what was charged at most, and nothing lifts what remains above the capacity', () => {
    always(({ does, quota, need, nowMs, before, after, outcome, refunded }) => {
      if (does !== 'refund') return;
      assert.ok(refunded <= need);
      assert.ok(outcome.remaining <= capacityOf(quota));
      assert.ok(outcome.remaining >= algorithm.peek(before, quota, 0, nowMs).remaining);
      // What drains is given back to the fraction, so that less than a permit changes the state as well.
      if (refunded === 0 && !drains) assert.equal(after, before);
    });
  });

  it('R9 known failure 72: a refund of more than is left of its bucket takes nothing off any other', () => {
    if (drains) return;
    fc.assert(
      fc.property(quotas([name]), histories({ back: false }), (quota, history) => {
        const events = live({ ...quota, chargeDenied: false }, history);
        const left = new Map<number, number>();
        for (const { does, need, outcome, refunded, ofTake } of events) {
          if (does === 'take' && outcome.granted > 0) left.set(outcome.bucket, (left.get(outcome.bucket) ?? 0) + outcome.granted);
          if (does !== 'refund' || refunded === 0) continue;
          const bucket = events[ofTake]?.outcome.bucket ?? -1;
          assert.equal(refunded, Math.min(need, left.get(bucket) ?? 0));
          left.set(bucket, (left.get(bucket) ?? 0) - refunded);
        }
      }),
      RUNS,
    );
  });

  it('R9 a refund at once undoes the take', () => {
    always(({ does, quota, need, nowMs, before, outcome, after }) => {
      if (does !== 'take' || outcome.granted === 0) return;
      const was = algorithm.peek(before, quota, need, nowMs);
      const undone = algorithm.refund(after, quota, outcome.granted, outcome.bucket, nowMs);
      const is = algorithm.peek(undone.state, quota, need, nowMs);
      assert.deepEqual([undone.refunded, is.remaining, is.retryMs], [outcome.granted, was.remaining, was.retryMs]);
    });
  });

  it('R9 a refund to a counter that is wholly free again gives nothing', () => {
    always(({ does, quota, nowMs, outcome, after }) => {
      if (does !== 'take' || outcome.granted === 0 || outcome.resetMs > 2 ** 52) return;
      const { refunded, state } = algorithm.refund(after, quota, outcome.granted, outcome.bucket, nowMs + outcome.resetMs);
      assert.equal(refunded, 0);
      assert.equal(state, after);
    });
  });

  it('R61 at the ms of a write a raise gives exactly the difference, a lower limit takes it, the same changes nothing', () => {
    fc.assert(
      fc.property(quotas([name]), histories(), fc.integer({ min: 1, max: 1000 }), (quota, history, by) => {
        for (const { does, quota: now, nowMs, outcome, after } of live(quota, history)) {
          if (does !== 'take' || outcome.granted === 0) continue;
          const read = (limit: number) => algorithm.peek(after, withLimit(now, limit), 1, nowMs);
          const { remaining } = read(now.limit);
          assert.deepEqual(read(now.limit), algorithm.peek(after, now, 1, nowMs));
          const raised = withLimit(now, Math.min(MAX, now.limit + by));
          const use = capacityOf(now) - remaining;
          assert.equal(algorithm.peek(after, raised, 1, nowMs).remaining, capacityOf(raised) - use);
          const lowered = withLimit(now, Math.max(1, now.limit - by));
          assert.equal(algorithm.peek(after, lowered, 1, nowMs).remaining, Math.max(0, capacityOf(lowered) - use));
        }
      }),
      RUNS,
    );
  });

  it('known failure 13: what is no cost is a fault, and never gets into a state', () => {
    const quota = fc.sample(quotas([name]), { numRuns: 1, seed: 1 })[0];
    if (quota === undefined) throw new Error('no quota');
    for (const bad of [0, -1, 1.5, NaN, Infinity, 2 ** 53]) {
      expect(() => algorithm.take(undefined, quota, bad, bad, 1)).toThrow(RangeError);
    }
    expect(() => algorithm.take(undefined, quota, 2, 1, 1)).toThrow(RangeError);
    expect(() => algorithm.take(undefined, quota, 1, 1, 1.5)).toThrow(RangeError);
    for (const bad of [-1, 1.5, NaN]) {
      expect(() => algorithm.peek(undefined, quota, bad, 1)).toThrow(RangeError);
      expect(() => algorithm.refund(undefined, quota, bad, 0, 1)).toThrow(RangeError);
      expect(() => algorithm.charge(undefined, quota, bad, 1)).toThrow(RangeError);
    }
  });
});
