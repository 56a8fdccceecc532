import type { CounterState } from '@sluice/algorithms';
import type { SampledUse } from './sampled-use.js';
import type { Tally } from './tally.js';

/** One counter of one rule. */
export interface Counter {
  /** Of the plain windows: the number of the latest one that was charged, -1 for none. */
  index: number;
  /** What was charged in it, and in the one before. */
  count: number;
  before: number;
  /** Of all other algorithms, as the engine has it. */
  state: CounterState | undefined;
  /** Made when the first sampled event is counted. */
  sampled: SampledUse | undefined;
  /** Sums of the key, where it is counted by that alone: found with it, without another look-up. Good while {@link tallyEpoch} is that of the sums. */
  tally: Tally | undefined;
  tallyEpoch: number;
  /** Turn of its table in which it was used last. */
  turn: number;
}

export function newCounter(): Counter {
  return { index: -1, count: 0, before: 0, state: undefined, sampled: undefined, tally: undefined, tallyEpoch: -1, turn: -1 };
}
