/** What scenarios are held to, in the order of the reports. */
export const REQUIREMENTS = ['R23', 'R24', 'R25', 'R26', 'R27', 'R29'] as const;

export type Requirement = (typeof REQUIREMENTS)[number];

/** One figure of a run beside its bar: exactly one of `atLeast` and `atMost` is there. */
export interface JudgedGoal {
  readonly requirement: Requirement;
  readonly what: string;
  readonly value: number;
  readonly atLeast?: number;
  readonly atMost?: number;
  readonly met: boolean;
  /** Whether the scenario holds the run to all that the requirement asks for, or to a part of it or a lower bar. */
  readonly asRequired: boolean;
}
