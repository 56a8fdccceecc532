/**
 * How long a lease may live where there is no window bucket that would end it, in ms: a twentieth of the window, between 1 ms
 * and 1 s (sliding_log and the bucket algorithms; R23).
 */
export function leaseSpanMs(windowMs: number): number {
  return Math.min(1000, Math.max(1, Math.floor(windowMs / 20)));
}
