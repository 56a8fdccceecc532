import type { AlgorithmName, Calendar } from '@sluice/algorithms';

export const MODES = ['enforce', 'shadow', 'off'] as const;
export type Mode = (typeof MODES)[number];

export const STORE_FAILURE_CHOICES = ['allow', 'deny'] as const;
export type OnStoreFailure = (typeof STORE_FAILURE_CHOICES)[number];

export const CONSISTENCIES = ['exact', 'leased', 'approximate', 'gossip'] as const;
export type Consistency = (typeof CONSISTENCIES)[number];

export const REGION_MODES = ['regional', 'split', 'home', 'merged'] as const;
export type RegionMode = (typeof REGION_MODES)[number];

/** A calendar window as JSON has it. */
export interface CalendarJson {
  readonly unit: Calendar['unit'];
  readonly time_zone: string;
}

/** How much may pass, as JSON has it. Absent fields take the defaults of {@link RULE_DEFAULTS}. */
export interface QuotaJson {
  readonly algorithm?: AlgorithmName;
  /** Permits per window, integer, at least 1. */
  readonly limit: number;
  /** 0.1 to 31622400 (366 days), whole ms. */
  readonly window_seconds: number;
  /** fixed_window only; then `window_seconds` may be absent in the API and is nominal here. */
  readonly calendar?: CalendarJson;
  /** token_bucket, leaky_bucket, gcra: capacity; default `limit`. */
  readonly burst?: number;
  /** sliding_counter: k sub-buckets; default 1. */
  readonly sub_buckets?: number;
  /** leaky_bucket: delay instead of deny while the bucket has room; default false. */
  readonly shape?: boolean;
  /** R7: count denials as use; default false. */
  readonly charge_denied?: boolean;
}

/**
 * A rule: what it matches, what it counts by and how much may pass (ARCHITECTURE "Words"). An absent match field means any.
 */
export interface Rule extends QuotaJson {
  readonly rule_id: string;
  /** Counts the changes of this rule, from 1. */
  readonly version: number;
  readonly domain?: string;
  readonly plan?: string;
  /** Method and route template, `GET /v1/items/{id}`; a template without a method means any method; `*` means any. */
  readonly endpoint?: string;
  /** Further attributes that must be present; the value `*` means any value. */
  readonly descriptors?: Readonly<Record<string, string>>;
  /** Attribute names; a request that lacks one of them is not counted by this rule. Default `["key_id"]`. */
  readonly count_by?: readonly string[];
  /** Rules of one policy compete, rules of different policies all apply. Default `default`. */
  readonly policy?: string;
  readonly mode?: Mode;
  readonly on_store_failure?: OnStoreFailure;
  readonly consistency?: Consistency;
  readonly region_mode?: RegionMode;
  /** Ceiling of a lease in permits; absent means the engine's. */
  readonly max_lease?: number;
  /** Sub-counters that each counter is split over (R28), 1 to 64; default 1. */
  readonly shards?: number;
}

/**
 * Another limit of one rule for one key, until it expires. Of several live ones for the same rule and key the one that expires
 * first applies: what is temporary goes over what is longer, and the longer one is back afterwards.
 */
export interface Override {
  readonly override_id: string;
  /** A rule's id, or `plan:<plan_id>` for the plan's default limit. */
  readonly rule_id: string;
  readonly key_id: string;
  readonly limit: number;
  /** Absent: the rule's burst scaled as the limit is, at least 1. */
  readonly burst?: number;
  /** ISO 8601 with a zone. */
  readonly expires_at: string;
}

/** A plan; its default limit is the rule of last resort for the plan's keys. */
export interface Plan {
  readonly plan_id: string;
  readonly name?: string;
  /** Counts the changes of this plan, from 1; the version of the rule that its default limit stands for. Absent means 1. */
  readonly version?: number;
  readonly default_limit?: QuotaJson;
}

/** All rules and live overrides at one version: what a node needs in order to decide. */
export interface Snapshot {
  /** Global version, handed out in commit order (R54). */
  readonly version: number;
  readonly plans: readonly Plan[];
  readonly rules: readonly Rule[];
  readonly overrides: readonly Override[];
}

/**
 * What is known of a request. `endpoint` is a route template when the caller knows it, else method and path, which is matched
 * against the rules' templates. Any further attribute is a descriptor.
 */
export type RequestAttributes = Readonly<Record<string, string | undefined>> & {
  readonly domain?: string | undefined;
  readonly plan?: string | undefined;
  readonly endpoint?: string | undefined;
  readonly key_id?: string | undefined;
  readonly tenant_id?: string | undefined;
  readonly user_id?: string | undefined;
  readonly ip?: string | undefined;
};
