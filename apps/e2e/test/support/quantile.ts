/** The value that a share of all does not exceed; of none, 0. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

/** How they are spread, in one line. */
export function spread(values: readonly number[]): string {
  return `p50 ${quantile(values, 0.5).toFixed(0)} ms, p99 ${quantile(values, 0.99).toFixed(0)} ms, max ${quantile(values, 1).toFixed(0)} ms (${values.length} times)`;
}
