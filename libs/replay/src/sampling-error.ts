import { capacityOf, type Quota } from '@sluice/algorithms';
import { newSampledUse } from './sampled-use.js';
import type { Counter } from './counter.js';

/** Standard errors within which the truth is taken to lie, of one counter and span. */
const CERTAIN = 3;

/**
 * How far sampling can put the projected refusals of one rule wrong (docs/adr/0035-backtest.md). A request more or less in a span of a counter changes its refusals by one at most, so where
 * a counter was plainly over its limit the error is that of the number of requests. Where it plainly was not there is none. Between the two a sample cannot tell: what is refused there
 * is {@link unresolved}, an upper bound with nothing below it. None of it holds where denials are charged (`lane-group.ts`).
 */
export class SamplingError {
  /** In permits²: of all spans that may have passed the capacity. */
  private variance = 0;
  /** Of all spans. */
  private wholeVariance = 0;
  /** In requests²: of those of cost 0, which debt alone refuses. */
  private peekVariance = 0;
  private leastCost = Infinity;
  private greatestCost = 0;
  /** Projected refusals of spans of which the sample cannot say that they passed it. */
  unresolved = 0;

  /** Some counter may have passed its capacity. */
  isNear = false;

  /** Standard error of the projected refusals, in requests. A permit more or less lets one more or less of the cheapest pass, no more. */
  get deviation(): number {
    return this.variance === 0 ? 0 : Math.sqrt(this.variance) / this.leastCost;
  }

  /** Standard error of the requests that it was asked about. */
  get wholeDeviation(): number {
    return Math.sqrt((this.wholeVariance === 0 ? 0 : this.wholeVariance / (this.leastCost * this.leastCost)) + this.peekVariance);
  }

  /** For how many of the cheapest requests one of the dearest stands. */
  get costRatio(): number {
    return this.greatestCost === 0 ? 1 : this.greatestCost / this.leastCost;
  }

  /**
   * @param requests that the event stands for
   * @param refused of those, by this rule
   */
  note(counter: Counter, quota: Quota, atMs: number, share: number, cost: number, requests: number, refused: number): void {
    if (cost === 0) {
      if (quota.chargeDenied) this.peekVariance += requests * requests * (1 - share);
      return;
    }
    // A counter that only whole events were counted in is exact.
    if ( (counter.sampled === undefined && share >= 1)) return;
    if (cost < this.leastCost) this.leastCost = cost;
    if (cost > this.greatestCost) this.greatestCost = cost;
    counter.sampled ??= newSampledUse();
    const use = counter.sampled;
    const capacity = capacityOf(quota);
    const index = Math.floor((atMs * quota.limit) / (quota.windowMs * capacity));
    if (use.index !== index) Object.assign(use, newSampledUse(), { index });
    const variance = requests * requests * (1 - share) * cost * cost;
    use.permits += requests * cost;
    use.variance += variance;
    use.refused += refused;
    this.wholeVariance += variance;
    if (use.mayExceed) this.variance += variance;
    if (!use.exceeds) this.unresolved += refused;
    const { below, above } = thresholds(quota);
    const marginPermits = CERTAIN * Math.sqrt(use.variance);
    if (!use.mayExceed && use.permits + marginPermits >= below) {
      use.mayExceed = true;
      this.isNear = true;
      this.variance += use.variance;
    }
    if (!use.exceeds && use.permits - marginPermits > above) {
      use.exceeds = true;
      this.unresolved -= use.refused;
    }
  }
}

/** Permits within one span: below the first no limit of this kind refuses, whatever the order; above the second it must. */
function thresholds(quota: Quota): { readonly below: number; readonly above: number } {
  const capacity = capacityOf(quota);
  if (quota.algorithm === 'fixed_window') return { below: capacity, above: capacity };
  // A trailing span meets two of ours, and what drains lets two capacities pass within one.
  return { below: capacity / 2, above: 2 * capacity };
}
