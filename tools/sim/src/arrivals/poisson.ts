import { exponential, type Random } from '../random.js';

/** Moments of a Poisson stream, ms. */
export function* poisson(random: Random, ratePerMs: number): Generator<number> {
  for (let atMs = exponential(random, 1 / ratePerMs); ; atMs += exponential(random, 1 / ratePerMs)) yield atMs;
}
