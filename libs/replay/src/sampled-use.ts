/** What one counter was asked for within one span of time, of which some is known by sample only. */
export interface SampledUse {
  /** Number of the span. */
  index: number;
  /** Permits asked for, as estimated. */
  permits: number;
  /** Variance of {@link permits}. */
  variance: number;
  /** Requests that the replay refused here. */
  refused: number;
  /** May have passed the capacity, for all that the sample says. */
  mayExceed: boolean;
  /** Has passed it, for all that the sample says. */
  exceeds: boolean;
}

export function newSampledUse(): SampledUse {
  return { index: Number.NaN, permits: 0, variance: 0, refused: 0, mayExceed: false, exceeds: false };
}
