import { algorithmFor, type CounterState, type Quota } from '@sluice/algorithms';

/** When the exact algorithm, one counter asked for every request, would have let requests in. */
export function exactOn(quota: Quota, askedAtMs: Float64Array): Float64Array {
  const algorithm = algorithmFor(quota.algorithm);
  let state: CounterState | undefined;
  return askedAtMs.filter((atMs) => {
    const taken = algorithm.take(state, quota, 1, 1, Math.floor(atMs));
    state = taken.state;
    return taken.outcome.granted === 1;
  });
}

/** The most of these instants, in ascending order, that lie in any window of that length. */
export function mostWithin(windowMs: number, atMs: Float64Array): number {
  let most = 0;
  for (let first = 0, last = 0; last < atMs.length; last += 1) {
    while ((atMs[first] ?? 0) <= (atMs[last] ?? 0) - windowMs) first += 1;
    most = Math.max(most, last - first + 1);
  }
  return most;
}

/** All of them in ascending order. */
export function merged(parts: readonly Float64Array[]): Float64Array {
  return Float64Array.from(parts.flatMap((part) => [...part])).sort();
}
