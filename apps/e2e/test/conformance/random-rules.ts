import type { Rule } from '@sluice/rules';
import fc from 'fast-check';

/** What limits one path, with the cost by which it is used up. */
export interface RandomLimit {
  readonly path: string;
  /** One rule, or two of different policies, which all have to allow. */
  readonly rules: readonly Rule[];
  readonly cost: number;
  /** Requests of that cost that untouched counters admit at once. */
  readonly fits: number;
}

/** What is used up by more requests takes longer to ask than its window lasts. */
const MOST_REQUESTS = 9;

const QUOTA = fc.record({
  algorithm: fc.constantFrom('fixed_window', 'sliding_log', 'sliding_counter', 'token_bucket', 'leaky_bucket', 'gcra'),
  consistency: fc.constantFrom('exact', 'leased'),
  limit: fc.oneof(fc.integer({ min: 1, max: 10 }), fc.integer({ min: 1, max: 1_000 })),
  // Short ones weigh more: each is waited for in real time.
  windowMs: fc.oneof({ weight: 3, arbitrary: fc.integer({ min: 100, max: 1_000 }) }, { weight: 3, arbitrary: fc.integer({ min: 1_000, max: 3_000 }) }, { weight: 1, arbitrary: fc.constantFrom(100, 1_000, 2_000, 3_000) }),
  burst: fc.option(fc.integer({ min: 1, max: 1_000 }), { nil: undefined }),
  subBuckets: fc.constantFrom(1, 2, 5),
  maxLease: fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined }),
});
type Quota = typeof QUOTA extends fc.Arbitrary<infer T> ? T : never;

const SHAPE = fc.record({ quota: QUOTA, second: fc.option(QUOTA, { freq: 4, nil: undefined }), cost: fc.integer({ min: 1, max: 1_000 }) });

/** Limits of so many paths by all algorithms; every fifth or so has two. The same for the same seed. */
export function randomLimits(count: number, seed: number): readonly RandomLimit[] {
  return fc.sample(SHAPE, { seed, numRuns: count }).map(({ quota, second, cost: wanted }, at) => {
    const path = `/random/${at}`;
    const rules = [ruleOf(quota, path, `first-${at}`), ...(second === undefined ? [] : [ruleOf(second, path, `second-${at}`)])];
    const capacity = Math.min(...rules.map(({ burst, limit }) => burst ?? limit));
    const cost = Math.max(Math.ceil(capacity / MOST_REQUESTS), Math.min(wanted, capacity));
    return { path, rules, cost, fits: Math.floor(capacity / cost) };
  });
}

function ruleOf({ algorithm, consistency, limit, windowMs, ...rest }: Quota, path: string, name: string): Rule {
  const bursts = algorithm === 'token_bucket' || algorithm === 'leaky_bucket' || algorithm === 'gcra';
  return {
    rule_id: name,
    version: 1,
    endpoint: `GET ${path}`,
    policy: name,
    algorithm,
    consistency,
    limit,
    window_seconds: windowMs / 1_000,
    // At most twice the limit, so that the longest wait is two windows.
    ...(bursts && rest.burst !== undefined && { burst: Math.min(rest.burst, limit * 2) }),
    ...(algorithm === 'sliding_counter' && windowMs % rest.subBuckets === 0 && { sub_buckets: rest.subBuckets }),
    ...(consistency === 'leased' && rest.maxLease !== undefined && { max_lease: rest.maxLease }),
  };
}
