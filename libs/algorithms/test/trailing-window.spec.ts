import assert from 'node:assert/strict';
import { ALGORITHMS, quota as quotaFrom, type AlgorithmName, type Quota } from '@sluice/algorithms';
import fc from 'fast-check';
import { histories, live, type Event } from './support/histories.js';
import { quotas } from './support/quotas.js';

const RUNS = { numRuns: 600, seed: 41 };
const calm = histories({ back: false, change: false, maxLength: 60 });
const unrefunded = histories({ back: false, change: false, refunds: false, maxLength: 60 });

/** Permits that stayed charged, by ms: a refund goes back to the ms of its take. */
function admitted(events: readonly Event[]): readonly { readonly nowMs: number; readonly permits: bigint }[] {
  const permits = events.map(({ does, outcome }) => (does === 'take' ? outcome.granted : 0));
  for (const { ofTake, refunded } of events) {
    if (ofTake >= 0) permits[ofTake] = (permits[ofTake] ?? 0) - refunded;
  }
  return events.map(({ nowMs }, i) => ({ nowMs, permits: BigInt(permits[i] ?? 0) }));
}

/** The most that stayed charged in any (t - windowMs, t]; it is greatest for some t at which something passes. */
function mostInAnyWindow(events: readonly Event[], windowMs: number): bigint {
  let most = 0n;
  let sum = 0n;
  const inside: { readonly nowMs: number; readonly permits: bigint }[] = [];
  for (const each of admitted(events)) {
    inside.push(each);
    sum += each.permits;
    while ((inside[0]?.nowMs ?? Infinity) <= each.nowMs - windowMs) sum -= inside.shift()?.permits ?? 0n;
    if (sum > most) most = sum;
  }
  return most;
}

/** R2: what each algorithm may let pass in a trailing window, times the number of its sub-buckets. */
function bound({ algorithm, limit, burst, subBuckets }: Quota): bigint {
  const k = BigInt(subBuckets);
  const bounds: Record<AlgorithmName, bigint> = {
    fixed_window: 2n * BigInt(limit),
    sliding_log: BigInt(limit),
    sliding_counter: BigInt(limit) * (k + 1n),
    token_bucket: BigInt(burst) + BigInt(limit),
    leaky_bucket: BigInt(burst) + BigInt(limit),
    gcra: BigInt(burst) + BigInt(limit),
  };
  return bounds[algorithm];
}

function checkBound(name: AlgorithmName, happenings: typeof calm, boundOf: (quota: Quota) => bigint): void {
  fc.assert(
    fc.property(quotas([name]), happenings, (quota, history) => {
      // A calendar window is not as long as its nominal one; its own bound is below.
      if (quota.calendar !== undefined) return;
      const most = mostInAnyWindow(live(quota, history), quota.windowMs);
      assert.ok(most * BigInt(quota.subBuckets) <= boundOf(quota), `${most} passed`);
    }),
    RUNS,
  );
}

describe.each(ALGORITHMS)('R2 R10 known failure 41: %s', (name) => {
  it('lets no more pass in any trailing window than it promises, leases included', () => {
    checkBound(name, unrefunded, bound);
  });
});

describe('R2 R14 debt', () => {
  it.each(ALGORITHMS)('lets no more requests pass %s than without it', (name) => {
    checkBound(name, histories({ back: false, change: false, refunds: false, charges: true, maxLength: 60 }), bound);
  });
});

describe('R2 R9 refunds', () => {
  it.each(['fixed_window', 'sliding_log', 'sliding_counter'] as const)('keep the bound of %s', (name) => {
    checkBound(name, calm, bound);
  });

  // A refund lets those behind it drain earlier than the names they were given say.
  it.each(['token_bucket', 'leaky_bucket', 'gcra'] as const)('out of order let %s pass twice its bound at most', (name) => {
    checkBound(name, calm, (quota) => 2n * bound(quota));
  });
});

describe('R2 fixed_window', () => {
  it('lets no more than the limit pass in one window, of the calendar too', () => {
    fc.assert(
      fc.property(quotas(['fixed_window']), calm, (quota, history) => {
        const events = live(quota, history);
        const perWindow = new Map<number, bigint>();
        admitted(events).forEach(({ permits }, i) => {
          const window = events[i]?.outcome.bucket ?? 0;
          perWindow.set(window, (perWindow.get(window) ?? 0n) + permits);
        });
        for (const sum of perWindow.values()) assert.ok(sum <= BigInt(quota.limit), `${sum} passed`);
      }),
      RUNS,
    );
  });
});

describe('R2 sliding_counter under dense bursts', () => {
  // Two bursts of the whole limit, somewhere in the first two windows, and a steady stream: what bites an estimate.
  it.each([1, 2, 3, 4, 10, 60])('k = %i lets at most 1/k too much pass', (subBuckets) => {
    const quota = quotaFrom({ limit: 600, windowMs: 1200, subBuckets });
    const take = { does: 'take', needs: { share: 0, permits: 1 }, wantsMore: 1e6, back: 0 } as const;
    const bursts = fc.array(fc.integer({ min: 0, max: 700 }), { minLength: 2, maxLength: 40, size: 'max' });
    fc.assert(
      fc.property(bursts, (gaps) => {
        const events = live(quota, gaps.map((ms) => ({ ...take, waits: { windows: 0, ms } })));
        const most = mostInAnyWindow(events, quota.windowMs);
        assert.ok(most * BigInt(subBuckets) <= bound(quota), `${most} passed`);
      }),
      { numRuns: 300, seed: subBuckets },
    );
  });
});
