import { leaseSpanMs, type Quota } from '@sluice/algorithms';

/** Most that may pass in any trailing window, as `libs/algorithms/README.md` says of each algorithm. */
export function mostAllowed(quota: Quota): number {
  const { algorithm, limit, burst, subBuckets } = quota;
  if (algorithm === 'sliding_log') return limit;
  if (algorithm === 'fixed_window') return 2 * limit;
  if (algorithm === 'sliding_counter') return limit + Math.ceil(limit / subBuckets);
  return limit + burst + leaseError(quota);
}

/** Below it a lease of 2 % is less than a permit, so nothing is held. */
const LEASED_FROM = 50;

/** A lease on a draining level is charged when it is taken and spent up to a lease span later: so much drains meanwhile, and could be taken again. */
export function leaseError({ algorithm, limit, burst, windowMs }: Quota): number {
  const drains = algorithm === 'token_bucket' || algorithm === 'leaky_bucket' || algorithm === 'gcra';
  return drains && Math.min(limit, burst) >= LEASED_FROM ? Math.ceil((limit * leaseSpanMs(windowMs)) / windowMs) : 0;
}
