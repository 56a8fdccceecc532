import type { DecisionKind, StandardAttribute } from '@sluice/events';

/** Which events are meant; all fields that are given must hold. */
export interface DecisionFilter {
  /** First ms that counts. */
  readonly fromMs: number;
  /** First ms that does not. */
  readonly toMs: number;
  /** Absent: `decision` alone. */
  readonly kinds?: readonly DecisionKind[];
  readonly allowed?: boolean;
  /** Any of the limits of the event is of this rule. */
  readonly ruleId?: string;
  readonly region?: string;
  readonly reason?: string;
  /** The one event with this id. */
  readonly eventId?: string;
  /** Exact values of attributes. */
  readonly attributes?: Partial<Readonly<Record<StandardAttribute, string>>>;
}
