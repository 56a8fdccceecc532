import type { RequestAttributes, RuleIndex } from '@sluice/rules';
import type { Decision, PolicyOutcome } from './decision.js';
import type { LimiterStats } from './limiter-stats.js';

/** The engine as apps and middleware see it. */
export interface Limiter {
  /**
   * Decides and charges. Synchronous when every permit is at hand; a promise when a trip to the store is due.
   * Cost 0 is a peek (R9). Never rejects for a store failure (R41); throws a RangeError for a cost that is not an integer >= 0.
   */
  check(attributes: RequestAttributes, cost?: number): Decision | Promise<Decision>;
  /** What {@link check} would answer, reading the store; changes nothing. */
  peek(attributes: RequestAttributes, cost?: number): Promise<Decision>;
  /** The caller's own limits, by peek (R71). */
  limits(attributes: RequestAttributes): Promise<readonly PolicyOutcome[]>;
  /**
   * Gives back what a decision charged, as far as it is not too late (R9). Resolves to the permits given back over all
   * policies; a second refund of the same decision gives back 0.
   */
  refund(decision: Decision): Promise<number>;
  /** Forgets the counters of one caller for the rules that apply to these attributes. */
  reset(attributes: RequestAttributes): Promise<void>;
  /** Swaps the rules by one reference (R56). */
  use(rules: RuleIndex): void;
  /** A copy of the counts since the start. */
  stats(): LimiterStats;
  /** Returns leases and stops (R44). The store stays open: it is the caller's. */
  close(): Promise<void>;
}
