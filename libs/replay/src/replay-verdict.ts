/** What became of a request, or of the requests that an event stands for. */
export interface ReplayVerdict {
  /** Whether all of them pass. */
  readonly allowed: boolean;
  /** Requests that it stands for, as the counters were charged: an integer of at least 1. */
  readonly weight: number;
  /** How many of them pass. */
  readonly admitted: number;
  /** The rule that refuses the others, as the engine would name it; undefined when none does. */
  readonly ruleId: string | undefined;
}
