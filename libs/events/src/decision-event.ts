import type { Envelope } from './envelope.js';

/** Newest shape of a {@link DecisionEvent}. */
export const DECISION_SCHEMA_VERSION = 1;

/**
 * What happened: a request was decided; a rule in shadow would have refused one that passed (R58); a caller showed no credentials
 * that are known, so that nothing was decided (R84).
 */
export const DECISION_KINDS = ['decision', 'shadow', 'unauthenticated'] as const;
export type DecisionKind = (typeof DECISION_KINDS)[number];

/** Bounds of an event, which a producer cuts to and a decoder holds it to. Characters are UTF-16 units. */
export const MAX_ATTRIBUTES = 64;
export const MAX_ATTRIBUTE_CHARS = 256;
export const MAX_DECISION_LIMITS = 32;
/** The least `sampled_share` of an event. One stands for the inverse of it: a smaller share would outweigh all others in every sum. */
export const LEAST_SAMPLED_SHARE = 1e-6;
/** A producer sends each decision that costs more, whatever its shares: `cost / sampled_share`, which is what an event adds to a sum, is at most 2^53-1. */
export const MAX_SAMPLED_COST = 1_000_000_000;

/**
 * One limit that applied, as it stood for the node. Times are ms; of one that no waiting helps `retry_ms` is -1.
 */
export interface DecisionLimit {
  readonly policy: string;
  readonly rule_id: string;
  readonly rule_version: number;
  /** The override whose limit it was; null for the rule's own. */
  readonly override_id: string | null;
  readonly allowed: boolean;
  /** Permits per window. */
  readonly limit: number;
  readonly window_ms: number;
  /** Permits left after it, as the node knew. */
  readonly remaining: number;
  readonly reset_ms: number;
  readonly retry_ms: number;
  /** `local`, `store` or `fallback`. */
  readonly source: string;
  /** `ok`, `quota`, `cost_exceeds_limit` or `store_unavailable`. */
  readonly reason: string;
}

/**
 * One event of `sluice.decisions.v1` (R80). The message's key is the attribute `key_id`, else `tenant_id`, else `ip`, else empty.
 *
 * `event_id` is `<producer>:<sequence>`: the producer names one start of one process, the sequence is an integer that only grows. Of
 * one producer the events of one partition come in ascending order, apart from repeats.
 */
export interface DecisionEvent extends Envelope {
  readonly schema_version: number;
  readonly kind: DecisionKind;
  /** When it was decided, by the store's clock as far as the node knew it, integer ms since the epoch. */
  readonly at_ms: number;
  readonly region: string;
  readonly node_id: string;
  /** What decided: `gateway`, `decision`, `middleware`. */
  readonly app: string;
  readonly snapshot_version: number;
  /** From {@link LEAST_SAMPLED_SHARE} to 1: how many of the events like this one are sent; each stands for `1 / sampled_share` of them. Refusals, shadow and unauthenticated always have 1. */
  readonly sampled_share: number;
  readonly allowed: boolean;
  /** Of a decision as `DecisionReason` has it; of shadow `shadow`; of unauthenticated `no_credentials` or `unknown_credentials`. */
  readonly reason: string;
  /** Of the deciding limit: `local`, `store` or `fallback`; `none` where no rule applied. */
  readonly source: string;
  readonly cost: number;
  /** Ms; null when it passed, or no waiting helps. */
  readonly retry_after_ms: number | null;
  /** What is known of the request (ARCHITECTURE "request attributes"): the standard ones and those that the node is configured to send, each of at most 256 characters. */
  readonly attributes: Readonly<Record<string, string>>;
  /** The deciding one first; of shadow the one in shadow; none where no rule applied. At most 32. */
  readonly limits: readonly DecisionLimit[];
}

/** The attributes that have a column of their own wherever events are stored. */
export const STANDARD_ATTRIBUTES = ['domain', 'plan', 'endpoint', 'key_id', 'tenant_id', 'user_id', 'ip'] as const;
export type StandardAttribute = (typeof STANDARD_ATTRIBUTES)[number];
