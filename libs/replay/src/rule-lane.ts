import type { CompiledRule } from '@sluice/rules';
import { CounterTable } from './counter-table.js';
import type { Gauge } from './gauge.js';
import type { LaneGroup } from './lane-group.js';
import type { RequestColumns, TextColumn } from './request-columns.js';
import { SamplingError } from './sampling-error.js';
import type { TextDictionary } from './text-dictionary.js';
import { gaugeFor } from './window-gauge.js';

/** One rule of the replayed set, its counters and its sums. */
export class RuleLane {
  readonly gauge: Gauge;
  readonly counters: CounterTable;
  readonly error = new SamplingError();
  group: LaneGroup = { lanes: [this] };
  /** Of one in shadow those that decided first on what it was asked about. */
  readonly askedAfter = new Set<RuleLane>();
  /** What it counts by, or the first of that. */
  readonly name: string;
  /** Its counters are those of keys. */
  readonly isByKey: boolean;
  /** Requests that it applied to; of one in shadow those that it was asked about. */
  requests = 0;
  /** Of those, what it refused as the rule that decides; of one in shadow what it would have. */
  refused = 0;
  /** Of {@link refused}, what really passed. */
  newlyRefused = 0;
  /** Names it to the cache of counters, together with {@link dictionary}. */
  number = -1;
  /** That of the values which it counts by. */
  dictionary: TextDictionary | undefined;
  /** The column of these values in {@link columns}; undefined where it counts by several, or by what has no column. */
  column: TextColumn | undefined;
  columns: RequestColumns | undefined;

  constructor(
    readonly rule: CompiledRule,
    mostCounters: number,
  ) {
    this.gauge = gaugeFor(rule.quota);
    this.name = rule.countBy[0] ?? '';
    this.isByKey = rule.countBy.length === 1 && rule.countBy[0] === 'key_id';
    this.counters = new CounterTable(rule.countBy, mostCounters);
  }
}
