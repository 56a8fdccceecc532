import type { CounterState } from '@sluice/algorithms';
import type { SampledUse } from './sampled-use.js';

/** One counter of one rule. */
export interface Counter {
  state: CounterState | undefined;
  /** Made when the first sampled event is counted. */
  sampled: SampledUse | undefined;
}

export function newCounter(): Counter {
  return { state: undefined, sampled: undefined };
}
