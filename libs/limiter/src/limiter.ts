import type { GivenLimit, RequestAttributes, RuleIndex } from '@sluice/rules';
import type { Decision, PolicyOutcome } from './decision.js';
import type { LimiterStats } from './limiter-stats.js';
import type { RequestPart } from './together/request-part.js';
import type { Reservation, ReserveOptions } from './settlement/reservation.js';
import type { Settlement } from './settlement/settlement.js';

/** The engine as apps and middleware see it. */
export interface Limiter {
  /**
   * Decides and charges. Synchronous when every permit is at hand; a promise when a trip to the store is due.
   * Cost 0 is a peek (R9). Never rejects for a store failure (R41); throws a RangeError for a cost that is not an integer >= 0.
   */
  check(attributes: RequestAttributes, cost?: number): Decision | Promise<Decision>;
  /**
   * Decides a request of several parts as a whole: one decision for each, and nothing is charged unless all allow (R8). A part whose own limits allow has
   * `allowed: true` though another one refuses; then it has no charge, and its `remaining` is what was there before. Parts that meet the same counter
   * all count there. Those of cost 0 are peeks, which refuse nothing that others charge; each says of itself whether its counter is beyond the limit.
   * Synchronous when every permit is at hand. Throws a RangeError for a cost that is not an integer >= 0, or a given limit that is none.
   */
  checkTogether(parts: readonly RequestPart[]): readonly Decision[] | Promise<readonly Decision[]>;
  /** What {@link check} would answer, reading the store; changes nothing. */
  peek(attributes: RequestAttributes, cost?: number): Promise<Decision>;
  /** The caller's own limits, by peek (R71). */
  limits(attributes: RequestAttributes): Promise<readonly PolicyOutcome[]>;
  /**
   * Gives back what a decision charged, as far as it is not too late (R9). Resolves to the permits given back over all
   * policies; a second refund of the same decision gives back 0, and so does one of a reservation, which is settled instead.
   */
  refund(decision: Decision): Promise<number>;
  /**
   * Gives permits back to each counter that applies, without a decision to name: to what was charged in the bucket of now, never above the limit nor into another
   * window. What this node holds is not used, so it is not given back; what other nodes hold counts as used. Resolves to the permits given back over all
   * counters, rejects with a RangeError for an amount that is not an integer >= 0, or a given limit that is none.
   */
  giveBack(attributes: RequestAttributes, amount: number, given?: GivenLimit): Promise<number>;
  /**
   * Charges an estimate of at least 1, to be settled by the id when the true amount is known (R14). Until then the estimate stands, and when
   * nobody settles, it stays. Rejects with a RangeError for what is no estimate or no time to live; a denial is a value without an id.
   */
  reserve(attributes: RequestAttributes, estimate: number, options?: ReserveOptions): Promise<Reservation>;
  /**
   * Settles a reservation of any node, once: what was reserved too much goes back as far as it is not too late, what was reserved too
   * little is charged beyond the limit too, as debt that later requests pay off. 0 gives all back. Rejects with a RangeError for what is no
   * integer of at least 0; never for a store failure, nor for an id that is none.
   */
  settle(id: string, actual: number): Promise<Settlement>;
  /** Forgets the counters of one caller for the rules that apply to these attributes. */
  reset(attributes: RequestAttributes): Promise<void>;
  /** Swaps the rules by one reference (R56). */
  use(rules: RuleIndex): void;
  /** A copy of the counts since the start. */
  stats(): LimiterStats;
  /**
   * Returns leases and stops (R44). The store stays open: it is the caller's. Ends within the store's timeouts whatever requests still come: a limiter that
   * is closing or closed decides them by itself, as while the store is away (R41), and only reads and gives back what is in the store.
   */
  close(): Promise<void>;
}
