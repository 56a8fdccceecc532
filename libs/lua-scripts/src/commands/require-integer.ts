/** A caller's mistake, thrown before anything is sent (known failure 13): it is no store failure (R45). */
export function requireInteger(name: string, value: number, least: number): void {
  if (!Number.isSafeInteger(value) || value < least) {
    throw new RangeError(`${name} must be an integer from ${least} to 2^53-1, not ${String(value)}`);
  }
}
