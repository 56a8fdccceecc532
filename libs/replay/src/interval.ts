import type { Doubt } from './doubt.js';

/** Between what the true number of refusals lies, as far as sampling is concerned. Both are the projection where nothing was sampled. */
export interface Interval {
  readonly at_least: number;
  readonly at_most: number;
  /** How often the truth is within, by the derivation in docs/adr/0035-backtest.md; 1: nothing was sampled. */
  readonly confidence: number;
  /** Projected refusals that the sample can not confirm: bursts shorter, or limits lower, than it resolves, or all where there is a `reason`. They are left out of `at_least`. */
  readonly unresolved: number;
  /** Why nothing is known of what is unresolved but how many requests there were; null: nothing is wholly unknown. */
  readonly reason: 'charge_denied' | null;
}

/** Standard errors of the interval, for 95 %. */
const Z = 1.96;
const CONFIDENCE = 0.95;

export function intervalOf(refused: number, requests: number, { below, above, unresolved, unknown, weight }: Doubt): Interval {
  if (weight === 0) return { at_least: refused, at_most: refused, confidence: 1, unresolved: 0, reason: null };
  // Few events are no normal distribution: of none that were seen there may have been nearly four (the score interval of a Poisson count).
  const few = (Z * Z * weight) / 2;
  const more = few + Z * Math.sqrt(above * above + (Z * Z * weight * weight) / 4);
  return {
    at_least: Math.max(0, refused - unresolved - Z * below),
    at_most: Math.min(requests, refused + (unknown ?? 0)) + more,
    confidence: CONFIDENCE,
    unresolved,
    reason: unknown === undefined ? null : 'charge_denied',
  };
}
