/** Most of these moments (ascending) in any trailing window: (t - windowMs, t]. */
export function mostInWindow(moments: readonly number[], windowMs: number): number {
  let most = 0;
  let oldest = 0;
  moments.forEach((atMs, newest) => {
    while ((moments[oldest] ?? atMs) <= atMs - windowMs) oldest += 1;
    most = Math.max(most, newest - oldest + 1);
  });
  return most;
}
