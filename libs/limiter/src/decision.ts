import type { Quota } from '@sluice/algorithms';

/** Where the permit came from: a local lease, a trip to the store, the fallback while the store is away, or no rule matched. */
export type DecisionSource = 'local' | 'store' | 'fallback' | 'none';

export type DecisionReason =
  | 'ok'
  | 'no_rule'
  | 'quota'
  /** No waiting helps: no Retry-After (R9). */
  | 'cost_exceeds_limit'
  /** The store is away and the rule says deny: 503, not 429 (R41). */
  | 'store_unavailable';

/**
 * One applied limit of a decision. Numbers are the node's own view: with a lease, `remaining` is a hint (R70).
 * The engine's own are objects with getters: read them or write them out by `JSON.stringify`, a spread copies nothing (docs/adr/0016-decision-values.md).
 */
export interface PolicyOutcome {
  readonly policy: string;
  readonly ruleId: string;
  readonly ruleVersion: number;
  readonly allowed: boolean;
  readonly limit: number;
  readonly windowMs: number;
  readonly remaining: number;
  /** Ms until the counter is wholly free again. */
  readonly resetMs: number;
  /** Ms until this request would pass; 0 when it does, NEVER (-1) when it cannot. */
  readonly retryMs: number;
  readonly source: DecisionSource;
  readonly reason: DecisionReason;
  readonly overrideId: string | undefined;
  /** Shaper: hold the request back this long, if every other limit allows; else 0. */
  readonly delayMs: number;
  /** Names the charge, for a refund: counter key, bucket and amount. Absent when nothing was charged. */
  readonly charge: Charge | undefined;
}

/** What was charged where; {@link PolicyOutcome.charge}. */
export interface Charge {
  readonly key: string;
  readonly quota: Quota;
  readonly bucket: number;
  readonly amount: number;
}

/** A decision is a value; denial is not an exception (R45). Of the engine's own the same holds as of a {@link PolicyOutcome}: `JSON.stringify`, no spread. */
export interface Decision {
  readonly allowed: boolean;
  readonly reason: DecisionReason;
  /** The policy that decided: the one that denies, else the tightest; absent when no rule matched. */
  readonly deciding: PolicyOutcome | undefined;
  /** Every enforced limit that applied. */
  readonly policies: readonly PolicyOutcome[];
  /**
   * What rules in shadow mode would have said; never changes the answer (R58). Those whose counter takes a trip join the list when it is back, which the
   * decision does not wait for; `onShadow` of the limiter hears of all.
   */
  readonly shadow: readonly PolicyOutcome[];
  /** Greatest wait over the violated policies, ms; undefined when allowed or when no waiting helps. */
  readonly retryAfterMs: number | undefined;
  /** Shaper: hold the request back this long; else 0. */
  readonly delayMs: number;
  readonly cost: number;
  /** Wall clock of the decision by the store's clock as far as the node knows it, ms since the epoch; base of `Reset` headers. */
  readonly nowMs: number;
  readonly snapshotVersion: number;
}
