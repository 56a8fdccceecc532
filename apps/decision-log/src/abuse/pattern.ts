export const PATTERN_KINDS = ['refusals', 'keys_per_address', 'jump', 'unauthenticated'] as const;
export type PatternKind = (typeof PATTERN_KINDS)[number];

/** What a key gets for a time. */
export interface OverrideTerms {
  /** The rule whose limit it is; undefined: the one that decided most of the key's requests. */
  readonly ruleId: string | undefined;
  /** Permits per window of the rule; or else {@link factor}. */
  readonly limit: number | undefined;
  /** Part of the limit in force, above 0, below 1. */
  readonly factor: number | undefined;
  /** The limit is never below it, at least 1. */
  readonly floor: number;
  /** How long, ms; never below the pattern's window, so that what it was found by is over when it ends. */
  readonly ttlMs: number;
}

interface PatternFields {
  readonly id: string;
  /** Event time that is looked at together, ms; a multiple of 10 s. */
  readonly windowMs: number;
  /** Whether overrides are made, or only proposed to people; always proposed where {@link AbuseRules.dryRun} says so. */
  readonly action: 'propose' | 'apply';
  /** Absent: there is nothing to apply, people are told. */
  readonly override: OverrideTerms | undefined;
}

/** More refusals of one key than `threshold` in a window. */
export interface RefusalsPattern extends PatternFields {
  readonly kind: 'refusals';
  readonly threshold: number;
}

/** More different keys from one address than `threshold` in a window. */
export interface KeysPerAddressPattern extends PatternFields {
  readonly kind: 'keys_per_address';
  readonly threshold: number;
}

/** A key that makes `factor` times as many requests in a window as it did on average before, and at least `least`. */
export interface JumpPattern extends PatternFields {
  readonly kind: 'jump';
  readonly factor: number;
  readonly least: number;
  /** What came before, ms. */
  readonly normMs: number;
}

/** More requests without known credentials from one address than `threshold` in a window. */
export interface UnauthenticatedPattern extends PatternFields {
  readonly kind: 'unauthenticated';
  readonly threshold: number;
}

export type AbusePattern = RefusalsPattern | KeysPerAddressPattern | JumpPattern | UnauthenticatedPattern;

/** What is looked for, and what is done about it (R84). */
export interface AbuseRules {
  /** Nothing is applied, whatever patterns say. */
  readonly dryRun: boolean;
  readonly everyMs: number;
  /** Windows are looked at again for so long after their end, for events that come late. */
  readonly latenessMs: number;
  readonly patterns: readonly AbusePattern[];
}

export const NO_ABUSE_RULES: AbuseRules = { dryRun: true, everyMs: 10_000, latenessMs: 30_000, patterns: [] };
