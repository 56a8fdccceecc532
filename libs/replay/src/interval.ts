/** Between what the true number of refusals lies, as far as sampling is concerned. Both are the projection where nothing was sampled. */
export interface Interval {
  readonly at_least: number;
  readonly at_most: number;
  /** How often the truth is within, by the derivation in docs/adr/0035-backtest.md; 1: nothing was sampled. */
  readonly confidence: number;
  /** Projected refusals that the sample can not confirm: bursts shorter, or limits lower, than it resolves. They are left out of `at_least`. */
  readonly unresolved: number;
}

/** Standard errors of the interval, for 95 %. */
const Z = 1.96;
const CONFIDENCE = 0.95;

/**
 * @param deviation standard error of the refusals
 * @param weight the most requests that one event stands for; 0: nothing was sampled
 */
export function intervalOf(refused: number, requests: number, unresolved: number, deviation: number, weight: number): Interval {
  if (weight === 0) return { at_least: refused, at_most: refused, confidence: 1, unresolved: 0 };
  // Few events are no normal distribution: of none that were seen there may have been nearly four (the score interval of a Poisson count).
  const few = (Z * Z * weight) / 2;
  const above = few + Z * Math.sqrt(deviation * deviation + (Z * Z * weight * weight) / 4);
  const most = requests + above;
  return {
    at_least: Math.max(0, refused - unresolved - Z * deviation),
    at_most: Math.min(most, refused + above),
    confidence: CONFIDENCE,
    unresolved,
  };
}
