/** A number from 0 (inclusive) to 1 (exclusive). */
export type Random = () => number;

/** Mulberry32: small, quick, and the same on every machine. Independent streams come from different seeds. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** The gap to the next event of a Poisson stream with that mean gap. */
export function exponential(random: Random, mean: number): number {
  return -Math.log(1 - random()) * mean;
}
