import { ALGORITHMS, mulDiv, quota, type AlgorithmName, type Quota } from '@sluice/algorithms';
import fc from 'fast-check';

const DAY_MS = 86_400_000;
const MAX = Number.MAX_SAFE_INTEGER;

/** Small limits, those of the requirements, and any. */
const limits = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 30 }) },
  fc.constantFrom(1, 2, 100, 999, 10_000, 1_000_000_000, MAX - 1, MAX),
  fc.integer({ min: 1, max: MAX }),
);

/** Windows from 100 ms to a year. */
const windows = fc.oneof(
  fc.constantFrom(100, 1000, 60_000, 3_600_000, DAY_MS, 30 * DAY_MS, 366 * DAY_MS),
  fc.integer({ min: 100, max: 3000 }),
  fc.integer({ min: 100, max: 365 * DAY_MS }),
);

const calendars = fc.record({
  unit: fc.constantFrom('hour', 'day', 'week', 'month', 'year'),
  timeZone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/Sao_Paulo', 'Australia/Lord_Howe'),
} as const);

const shapes = fc.record({
  limit: limits,
  windowMs: windows,
  burst: fc.option(limits),
  subBuckets: fc.constantFrom(1, 1, 2, 3, 4, 10, 60),
  shape: fc.boolean(),
  chargeDenied: fc.boolean(),
  calendar: fc.option(calendars, { freq: 4 }),
});

/** Any quota of an algorithm; of any algorithm when none is named. */
export function quotas(names: readonly AlgorithmName[] = ALGORITHMS): fc.Arbitrary<Quota> {
  return fc.tuple(fc.constantFrom(...names), shapes).map(([algorithm, shape]) => {
    const { limit, chargeDenied } = shape;
    const buckets = algorithm === 'sliding_counter' ? shape.subBuckets : 1;
    const windowMs = Math.max(shape.windowMs - (shape.windowMs % buckets), 100 + buckets - (100 % buckets));
    const base = { algorithm, limit, windowMs, chargeDenied };
    if (algorithm === 'fixed_window') return quota({ ...base, calendar: shape.calendar ?? undefined });
    if (algorithm === 'sliding_counter') return quota({ ...base, subBuckets: buckets });
    if (algorithm === 'sliding_log') return quota(base);
    const burst = fitting(shape.burst ?? limit, base);
    return quota({ ...base, burst, shape: shape.shape && algorithm === 'leaky_bucket' });
  });
}

/** The burst, or the limit where the burst would take too long to drain for a theoretical arrival time. */
function fitting(burst: number, { limit, windowMs }: Pick<Quota, 'limit' | 'windowMs'>): number {
  return mulDiv(burst, windowMs, limit).quotient <= 2 ** 51 ? burst : limit;
}

/** The quota with another limit; a burst moves by as much. */
export function withLimit(base: Quota, limit: number): Quota {
  const burst = base.burst === base.limit ? limit : Math.min(MAX, Math.max(1, base.burst - base.limit + limit));
  return quota({ ...base, limit, burst: fitting(burst, { limit, windowMs: base.windowMs }) });
}
