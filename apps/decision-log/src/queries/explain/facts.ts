import type { DecisionEvent, DecisionLimit } from '@sluice/events';
import type { InForce, LimitNow } from '../../control-plane/in-force.js';
import type { LogEntry } from '../../control-plane/log-entry.js';
import type { RuleText } from '../../control-plane/rule-text.js';

/** What became of a rule since a version of it decided. */
export interface RuleSince {
  readonly state: 'unchanged' | 'changed' | 'deleted' | 'unknown';
  /** The changes after that version, the newest first. */
  readonly changes: readonly LogEntry[];
  /** As it is now; undefined where it is gone, or nobody knows. */
  readonly now: RuleText | undefined;
}

/** An override as the control plane had it. */
export interface OverrideText {
  readonly limit: number;
  readonly burst: number | undefined;
  readonly expiresAtMs: number;
  /** For people in charge, not for customers. */
  readonly reason: string | undefined;
}

/** An override that decided, and what became of it. */
export interface OverrideStory {
  readonly overrideId: string;
  /** As the node had it; undefined where nobody knows. */
  readonly then: OverrideText | undefined;
  /** `expired`: its time ran out; `removed`: somebody ended it earlier; `changed`: it lives, with another limit or end. */
  readonly state: 'live' | 'changed' | 'expired' | 'removed' | 'unknown';
  /** As it is now, or was when it ended. */
  readonly last: OverrideText | undefined;
  readonly endedAtMs: number | undefined;
}

/** What applies in place of a limit now. */
export interface InPlace {
  readonly limit: LimitNow | undefined;
  /** The rule of that limit; absent where nobody knows. */
  readonly text?: RuleText | undefined;
}

/** One limit of the decision, with all that is known of it. */
export interface LimitFacts {
  readonly limit: DecisionLimit;
  /** Its rule at the version that decided. */
  readonly text: RuleText | undefined;
  readonly since: RuleSince;
  readonly override: OverrideStory | undefined;
  /** What applies in its policy to the same request now, which may be nothing; undefined where nobody can tell. */
  readonly inForce: InPlace | undefined;
}

/** What became of the key of the request: `moved` to another tenant; `same` also where there was none, or one that the control plane never knew. */
export type KeySince = 'same' | 'gone' | 'moved' | 'unknown';

/** How busy the key was around the decision. */
export interface Around {
  readonly fromMs: number;
  readonly toMs: number;
  readonly refused: number;
  /** Estimated where allows are sampled. */
  readonly requests: number;
  /** Whether what passed is sampled; null where nobody can tell. */
  readonly sampled: boolean | null;
  /** 0 when exact; null where nobody can tell. */
  readonly standardError: number | null;
}

/** All that is known of one decision. */
export interface Facts {
  readonly event: DecisionEvent;
  /** The deciding one first. */
  readonly limits: readonly LimitFacts[];
  /** What the control plane says of the same request now; undefined where nobody knows. */
  readonly inForce: InForce | undefined;
  readonly keySince: KeySince;
  readonly around: Around;
  /** Why the control plane could not be asked; undefined when it was. */
  readonly unavailable: string | undefined;
  readonly nowMs: number;
}
