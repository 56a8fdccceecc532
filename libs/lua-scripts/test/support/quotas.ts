import { ALGORITHMS, quota, type AlgorithmName, type Quota, type QuotaInput } from '@sluice/algorithms';
import fc from 'fast-check';

const MAX = Number.MAX_SAFE_INTEGER;
const YEAR_MS = 366 * 86_400_000;

const limits = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 12 }) },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 2_000 }) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 2_000_000_000 }) },
  { weight: 1, arbitrary: fc.constantFrom(MAX, MAX - 1, 2 ** 52, 2 ** 52 + 1, 3 * 2 ** 50 + 7) },
  { weight: 1, arbitrary: fc.maxSafeNat().map((n) => n + 1).filter((n) => n <= MAX) },
);

const windows = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 100, max: 3_000 }) },
  { weight: 3, arbitrary: fc.constantFrom(100, 1_000, 10_000, 60_000, 3_600_000, 86_400_000, YEAR_MS) },
  { weight: 1, arbitrary: fc.integer({ min: 100, max: YEAR_MS }) },
);

/** What varies in a quota while its counter lives (R61). */
export interface Strength {
  readonly limit: number;
  readonly burst: number;
}

/** A counter's fixed part, and quotas of it with a limit and a burst. */
export interface QuotaFamily {
  readonly algorithm: AlgorithmName;
  readonly windowMs: number;
  readonly at: (strength: Strength) => Quota;
}

/** The quota, or with a lesser burst when the builder finds it absurd. */
function build(input: QuotaInput): Quota {
  try {
    return quota(input);
  } catch {
    return quota({ ...input, burst: input.limit });
  }
}

export const strengths: fc.Arbitrary<Strength> = fc.record({ limit: limits, burst: limits });

export function quotaFamilies(algorithm: AlgorithmName): fc.Arbitrary<QuotaFamily> {
  return fc
    .record({ windowMs: windows, k: fc.constantFrom(1, 1, 1, 2, 3, 5, 10), shape: fc.boolean(), chargeDenied: fc.boolean() })
    .map(({ windowMs: wish, k, shape, chargeDenied }) => {
      const subBuckets = algorithm === 'sliding_counter' ? k : 1;
      const windowMs = Math.max(wish - (wish % subBuckets), 100 * subBuckets);
      const own = { algorithm, windowMs, subBuckets, chargeDenied, shape: shape && algorithm === 'leaky_bucket' };
      const bursts = algorithm === 'token_bucket' || algorithm === 'leaky_bucket' || algorithm === 'gcra';
      return { algorithm, windowMs, at: ({ limit, burst }) => build({ ...own, limit, burst: bursts ? burst : limit }) };
    });
}

export const anyQuotaFamily: fc.Arbitrary<QuotaFamily> = fc.constantFrom(...ALGORITHMS).chain(quotaFamilies);
