import type { Sample } from './sample.js';

/** Latency of decisions, ms. */
export interface Latency {
  readonly p50: number;
  readonly p99: number;
  readonly worst: number;
}

export function latencyOf(samples: readonly Sample[]): Latency {
  const sorted = samples.map(({ tookMs }) => tookMs).sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p99: at(0.99), worst: at(1) };
}

/** Decisions by where they came from; those refused for want of the store apart from what the fallback decided. */
export interface BySource {
  local: number;
  store: number;
  fallback: number;
  unavailable: number;
}

export function bySource(samples: readonly Sample[]): BySource {
  const counts: BySource = { local: 0, store: 0, fallback: 0, unavailable: 0 };
  for (const { source, outcome } of samples) {
    if (outcome === 'unavailable') counts.unavailable += 1;
    else if (source !== 'none') counts[source] += 1;
  }
  return counts;
}

/** Most admissions in any trailing second. */
export function mostInASecond(samples: readonly Sample[]): number {
  const times = samples.filter(({ outcome }) => outcome === 'allowed').map(({ atMs }) => atMs).sort((a, b) => a - b);
  let most = 0;
  let from = 0;
  times.forEach((atMs, at) => {
    while ((times[from] ?? 0) <= atMs - 1000) from += 1;
    most = Math.max(most, at - from + 1);
  });
  return most;
}
