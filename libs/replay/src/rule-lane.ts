import { algorithmFor, type Algorithm, type CounterState } from '@sluice/algorithms';
import type { CompiledRule } from '@sluice/rules';
import { CounterTable } from './counter-table.js';
import { SamplingError } from './sampling-error.js';

/** One rule of the replayed set, its counters and its sums. */
export class RuleLane {
  readonly algorithm: Algorithm<CounterState>;
  readonly counters: CounterTable;
  readonly error = new SamplingError();
  /** Its counters are those of keys. */
  readonly isByKey: boolean;
  /** Requests that it applied to; of one in shadow those that it was asked about. */
  requests = 0;
  /** Of those, what it refused as the rule that decides; of one in shadow what it would have. */
  refused = 0;
  /** Of {@link refused}, what really passed. */
  newlyRefused = 0;

  constructor(
    readonly rule: CompiledRule,
    mostCounters: number,
  ) {
    this.algorithm = algorithmFor(rule.quota.algorithm);
    this.isByKey = rule.countBy.length === 1 && rule.countBy[0] === 'key_id';
    this.counters = new CounterTable(rule.countBy, mostCounters);
  }
}
