import type { Outcome } from '../outcome.js';
import type { AlgorithmName } from '../quota.js';
import type { QuotaInput } from '../quota-builder.js';

/** The fields of an outcome that a scenario has an opinion on. */
export type Expected = Partial<Omit<Outcome, 'nowMs'>>;

interface Timed {
  /** Ms since the start of the scenario; may be less than in the step before: then the clock has stepped back. */
  readonly at: number;
  /** Fields of the quota that have changed, from this step on. */
  readonly change?: Partial<QuotaInput>;
}

export interface TakeStep extends Timed {
  readonly do: 'take';
  readonly need: number;
  /** Default `need`. */
  readonly want?: number;
  readonly expect: Expected;
}

export interface PeekStep extends Timed {
  readonly do: 'peek';
  readonly cost: number;
  readonly expect: Expected;
}

/** `count` takes of `need`, the first one at `at`, `everyMs` apart. */
export interface PollStep extends Timed {
  readonly do: 'poll';
  readonly need: number;
  readonly count: number;
  readonly everyMs: number;
  /** Least and most takes that are granted. */
  readonly granted: readonly [least: number, most: number];
}

/** Gives back to the bucket that a granted take was charged to. */
export interface RefundStep extends Timed {
  readonly do: 'refund';
  /** Which of the granted takes and charges, from 0 on; default the last one. Polls count as well. */
  readonly ofTake?: number;
  readonly amount: number;
  readonly refunded: number;
}

/** Charges beyond the limit too; what is granted counts as a take for the refunds that follow. */
export interface ChargeStep extends Timed {
  readonly do: 'charge';
  readonly amount: number;
  /** Default false. */
  readonly onlyIfAbsent?: boolean;
  readonly expect: Expected;
}

export interface ResetStep extends Timed {
  readonly do: 'reset';
}

export type Step = TakeStep | PeekStep | PollStep | RefundStep | ChargeStep | ResetStep;

/** A sequence of calls on one new counter and what each of them must answer: plain data, for any store. */
export interface Scenario {
  /** Names the requirement and, where there is one, the known failure. */
  readonly title: string;
  readonly algorithms: readonly AlgorithmName[];
  readonly quota: Omit<QuotaInput, 'algorithm'>;
  /** Default: a multiple of the window, so that a fixed window starts there. */
  readonly startMs?: number;
  readonly steps: readonly Step[];
}
