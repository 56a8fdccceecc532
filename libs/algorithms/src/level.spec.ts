import assert from 'node:assert/strict';
import fc from 'fast-check';
import { histories, live } from '../test/support/histories.js';
import { quotas } from '../test/support/quotas.js';
import { algorithmFor } from './algorithm-for.js';
import { leakyBucket, type LeakyBucketState } from './leaky-bucket.js';
import { quota } from './quota-builder.js';

describe('R2 R10 token_bucket and leaky_bucket', () => {
  it('keep the level exactly, as a fraction would, under changes of the limit too', () => {
    const forward = histories({ back: false });
    fc.assert(
      fc.property(quotas(['token_bucket', 'leaky_bucket']), forward, (first, history) => {
        // In 1/windowMs permits: draining `limit` of them a ms is exact.
        const unit = BigInt(first.windowMs);
        let level = 0n;
        let atMs = 0;
        // By the limit of the last charge.
        let endsAtMs = 0;
        const events = live({ ...first, chargeDenied: false }, history);
        for (const { does, quota: now, nowMs, need, before, after, outcome, ofTake } of events) {
          const drained = level - BigInt(nowMs - atMs) * BigInt(now.limit);
          let current = drained > 0n && nowMs < endsAtMs ? drained : 0n;
          if (does === 'take') current += BigInt(outcome.granted) * unit;
          if (does === 'refund' && before !== undefined) {
            const undrained = BigInt((events[ofTake]?.outcome.bucket ?? 0) - nowMs) * BigInt(now.limit);
            const credit = undrained < BigInt(need) * unit ? undrained : BigInt(need) * unit;
            if (credit > 0n) current = current > credit ? current - credit : 0n;
          }
          const used = (current + unit - 1n) / unit;
          assert.equal(BigInt(outcome.remaining), used < BigInt(now.burst) ? BigInt(now.burst) - used : 0n);
          // Only a write moves the clock: the time since the last one drains at the limit that is read with.
          if (after !== before) {
            const drainedAtMs = nowMs + Number((current + BigInt(now.limit) - 1n) / BigInt(now.limit));
            endsAtMs = does === 'take' ? drainedAtMs : Math.min(endsAtMs, drainedAtMs);
            level = current;
            atMs = nowMs;
          }
        }
      }),
      { numRuns: 1000, seed: 40 },
    );
  });
});

describe('R9 refunds of a level', () => {
  it.each(['token_bucket', 'leaky_bucket', 'gcra'] as const)('%s writes a credit of less than a permit, though no whole one comes back', (name) => {
    const q = quota({ algorithm: name, limit: 10, windowMs: 1000 });
    const algorithm = algorithmFor(name);
    const nowMs = 1_767_225_600_000;
    const first = algorithm.take(undefined, q, 5, 5, nowMs);
    const second = algorithm.take(first.state, q, 5, 5, nowMs);
    // Half a permit of the first is left: the level falls from 5.5 to 5, and if it is given back twice, to 4.5.
    const once = algorithm.refund(second.state, q, 5, first.outcome.bucket, nowMs + 450);
    expect(once.refunded).toBe(1);
    const twice = algorithm.refund(once.state, q, 5, first.outcome.bucket, nowMs + 450);
    expect(twice.refunded).toBe(0);
    expect(algorithm.peek(twice.state, q, 10, nowMs + 450)).toMatchObject({ remaining: 5, retryMs: 450 });
  });
});

describe('R2 leaky_bucket as a shaper', () => {
  it('lets requests leave at an even pace, one a 1/rate at most, and delays none longer than the bucket is deep', () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 250 }), { minLength: 2, maxLength: 200, size: 'max' });
    fc.assert(
      fc.property(gaps, (history) => {
        const q = quota({ algorithm: 'leaky_bucket', limit: 10, windowMs: 1000, burst: 5, shape: true });
        let state: LeakyBucketState | undefined;
        let nowMs = 1_767_225_600_000;
        let lastLeftMs = 0;
        for (const gap of history) {
          nowMs += gap;
          const { outcome, state: after } = leakyBucket.take(state, q, 1, 1, nowMs);
          state = after;
          if (outcome.granted === 0) continue;
          assert.ok(outcome.delayMs <= 400);
          assert.ok(nowMs + outcome.delayMs - lastLeftMs >= 100);
          lastLeftMs = nowMs + outcome.delayMs;
        }
      }),
      { numRuns: 300, seed: 100 },
    );
  });

  it('grants what is needed and no permits in advance', () => {
    const q = quota({ algorithm: 'leaky_bucket', limit: 10, windowMs: 1000, shape: true });
    expect(leakyBucket.take(undefined, q, 2, 9, 5000).outcome).toMatchObject({ granted: 2, remaining: 8, delayMs: 0 });
  });
});
