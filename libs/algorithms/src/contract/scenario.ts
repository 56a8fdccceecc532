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
  /** Which of the granted takes, from 0 on; default the last one. Polls count as well. */
  readonly ofTake?: number;
  readonly amount: number;
  readonly refunded: number;
}

export interface ResetStep extends Timed {
  readonly do: 'reset';
}

export type Step = TakeStep | PeekStep | PollStep | RefundStep | ResetStep;

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
