/** The sum of two integers in [0, 2^53-1], 2^53-1 at most: a wait that long is for ever, and must stay an integer (R10). */
export function saturatingAdd(a: number, b: number): number {
  return Math.min(Number.MAX_SAFE_INTEGER, a + b);
}
