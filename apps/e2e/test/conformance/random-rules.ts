import type { Rule } from '@sluice/rules';
import fc from 'fast-check';

/** A rule with the cost by which it is used up. */
export interface RandomRule {
  readonly rule: Rule;
  readonly cost: number;
  /** Requests of that cost that an untouched counter admits at once. */
  readonly fits: number;
}

/** What is used up by more requests takes longer to ask than its window lasts. */
const MOST_REQUESTS = 9;

const SHAPE = fc.record({
  algorithm: fc.constantFrom('fixed_window', 'sliding_log', 'sliding_counter', 'token_bucket', 'leaky_bucket', 'gcra'),
  consistency: fc.constantFrom('exact', 'leased'),
  limit: fc.oneof(fc.integer({ min: 1, max: 10 }), fc.integer({ min: 1, max: 1_000 })),
  // Short ones weigh more: each is waited for in real time.
  windowMs: fc.oneof({ weight: 3, arbitrary: fc.integer({ min: 100, max: 1_000 }) }, { weight: 3, arbitrary: fc.integer({ min: 1_000, max: 3_000 }) }, { weight: 1, arbitrary: fc.constantFrom(100, 1_000, 2_000, 3_000) }),
  burst: fc.option(fc.integer({ min: 1, max: 1_000 }), { nil: undefined }),
  subBuckets: fc.constantFrom(1, 2, 5),
  maxLease: fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined }),
  cost: fc.integer({ min: 1, max: 1_000 }),
});

/** So many rules of all algorithms, each for a path of its own; the same for the same seed. */
export function randomRules(count: number, seed: number): readonly RandomRule[] {
  return fc.sample(SHAPE, { seed, numRuns: count }).map((shape, at) => {
    const { algorithm, consistency, limit, windowMs } = shape;
    const bursts = algorithm === 'token_bucket' || algorithm === 'leaky_bucket' || algorithm === 'gcra';
    // At most twice the limit, so that the longest wait is two windows.
    const burst = bursts && shape.burst !== undefined ? Math.min(shape.burst, limit * 2) : undefined;
    const capacity = burst ?? limit;
    const cost = Math.max(Math.ceil(capacity / MOST_REQUESTS), Math.min(shape.cost, capacity));
    const rule: Rule = {
      rule_id: `random-${at}`,
      version: 1,
      endpoint: `GET /random/${at}`,
      policy: `random-${at}`,
      algorithm,
      consistency,
      limit,
      window_seconds: windowMs / 1_000,
      ...(burst !== undefined && { burst }),
      ...(algorithm === 'sliding_counter' && windowMs % shape.subBuckets === 0 && { sub_buckets: shape.subBuckets }),
      ...(consistency === 'leased' && shape.maxLease !== undefined && { max_lease: shape.maxLease }),
    };
    return { rule, cost, fits: Math.floor(capacity / cost) };
  });
}
