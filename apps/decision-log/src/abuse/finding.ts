import type { PatternKind } from './pattern.js';

/** `planning` and `applying` are tried again until they work or it is over; `partly_applied` has overrides that the control plane refused. */
export const FINDING_STATES = ['planning', 'proposed', 'applying', 'applied', 'partly_applied', 'refused', 'dismissed'] as const;
export type FindingState = (typeof FINDING_STATES)[number];

/** One override of a finding: planned, or made. */
export interface PlannedOverride {
  readonly keyId: string;
  readonly ruleId: string;
  readonly limit: number;
  readonly expiresAtMs: number;
  /** Absent while it is not made. */
  readonly overrideId?: string;
}

/** A key of which nothing was planned, or whose override was refused. */
export interface LeftOut {
  readonly keyId: string;
  readonly why: string;
}

/** Something that a pattern found, and what was done about it. */
export interface Finding {
  readonly findingId: string;
  readonly patternId: string;
  readonly kind: PatternKind;
  readonly subjectKind: 'key' | 'ip';
  readonly subject: string;
  /** Keys that overrides are for. */
  readonly keyIds: readonly string[];
  readonly foundAtMs: number;
  readonly windowFromMs: number;
  readonly windowToMs: number;
  readonly observed: number;
  readonly standardError: number;
  readonly threshold: number;
  readonly state: FindingState;
  readonly overrides: readonly PlannedOverride[];
  readonly leftOut: readonly LeftOut[];
  /** Who applied or dismissed it; undefined while nobody did, `system:abuse` of what the service did by itself. */
  readonly by: string | undefined;
  /** Until then the pattern takes its subject up no more. */
  readonly heldUntilMs: number;
}

/** One line for people, in the audit of the control plane as the reason of an override. */
export function reasonOf({ patternId, kind, subject, observed, threshold, windowFromMs, windowToMs, findingId }: Finding): string {
  const seconds = Math.round((windowToMs - windowFromMs) / 1000);
  const what = {
    refusals: 'refusals of one key',
    keys_per_address: `keys from ${subject}`,
    jump: 'requests of one key',
    unauthenticated: `requests without known credentials from ${subject}`,
  }[kind];
  return `${reasonMark(patternId)} ${Math.round(observed)} ${what} in ${seconds} s, where ${Math.round(threshold)} are the mark (${findingId})`.slice(0, 256);
}

/** How reasons begin, so that overrides of a pattern are known again. */
export function reasonMark(patternId: string): string {
  return `abuse ${patternId}:`;
}
