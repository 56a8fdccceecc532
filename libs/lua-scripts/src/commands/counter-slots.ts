import type { Quota } from '@sluice/algorithms';
import { counterPlace } from '../keys/counter-place.js';

/** How the scripts of a counter's algorithm are told which counter it is. */
export interface CounterSlots {
  readonly keys: readonly [string];
  /** The field in the group, which goes before all other ARGV; nothing for a log, which is a key of its own. */
  readonly field: readonly string[];
}

export function counterSlots(name: string, { algorithm }: Quota): CounterSlots {
  if (algorithm === 'sliding_log') return { keys: [name], field: [] };
  const { group, field } = counterPlace(name);
  return { keys: [group], field: [field] };
}
