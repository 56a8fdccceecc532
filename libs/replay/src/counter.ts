import type { CounterState } from '@sluice/algorithms';
import type { SampledUse } from './sampled-use.js';
import type { Tally } from './tally.js';

/** One counter of one rule. */
export interface Counter {
  state: CounterState | undefined;
  /** Made when the first sampled event is counted. */
  sampled: SampledUse | undefined;
  /** Sums of the key, where it is counted by that alone: found with it, without another look-up. Good while {@link tallyEpoch} is that of the sums. */
  tally: Tally | undefined;
  tallyEpoch: number;
}

export function newCounter(): Counter {
  return { state: undefined, sampled: undefined, tally: undefined, tallyEpoch: -1 };
}
