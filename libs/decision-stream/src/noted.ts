import type { Decision } from '@sluice/limiter';
import type { AppliedRule, RequestAttributes } from '@sluice/rules';
import type { UnauthenticatedReason } from './decision-stream.js';

/** What an event is made of: a decision, a rule in shadow that would have refused, or why nobody was decided about. */
export type Subject = Decision | AppliedRule | UnauthenticatedReason;

/** Something that was noted, and waits to be written. */
export interface Noted {
  /** Its number among all that were offered. */
  readonly sequence: number;
  readonly subject: Subject;
  readonly attributes: RequestAttributes;
  /** Of an allowed decision the share by which it was picked, else 1. */
  readonly share: number;
  /** Of what is no decision; a decision has its own. */
  readonly atMs: number;
  readonly snapshotVersion: number;
}
