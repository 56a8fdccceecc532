import { compileSnapshot, type AppliedRule, type CompiledRule, type RuleIndex } from '@sluice/rules';
import { ColumnSums } from './column-sums.js';
import type { Counter } from './counter.js';
import { CounterCache } from './counter-cache.js';
import { decideTogether, limitOf, type Decided, type Limit } from './decider.js';
import { join } from './lane-group.js';
import { MatchCache } from './match-cache.js';
import { DEFAULT_MOST_COUNTERS, type ReplayOptions } from './replay-options.js';
import { reportOf, type ReplayReport, type ReportOptions } from './replay-report.js';
import type { ReplayRequest } from './replay-request.js';
import { ReplaySums } from './replay-sums.js';
import type { ReplayVerdict } from './replay-verdict.js';
import { attributesAt, requestAt, type RequestColumns } from './request-columns.js';
import { requestKind, type RequestKind } from './request-kind.js';
import { RuleLane } from './rule-lane.js';
import { Weights } from './weights.js';

/**
 * What a set of rules would have done to recorded requests (R59): the engine's algorithms, every rule taken as `exact`, counters in memory, the clock that of
 * the requests. Of requests that were all recorded the verdicts are those of the engine; of sampled ones the report states how far it may be off.
 */
export class Replay {
  private readonly index: RuleIndex;
  private readonly mostCounters: number;
  private readonly lanes = new Map<CompiledRule, RuleLane>();
  private readonly sums: ReplaySums;
  private readonly columnSums: ColumnSums;
  private readonly weights = new Weights();
  private readonly matches: MatchCache<RequestKind>;
  private readonly found = new CounterCache();
  private numbers = 0;
  private lastMs = -Infinity;

  constructor(options: ReplayOptions) {
    const { rules } = options;
    this.index = 'match' in rules ? rules : compileSnapshot(rules);
    this.mostCounters = options.mostCounters ?? DEFAULT_MOST_COUNTERS;
    this.sums = new ReplaySums(options);
    this.columnSums = new ColumnSums(this.sums);
    this.matches = new MatchCache(this.index, 'match' in rules ? options.snapshot : rules, (applied) => requestKind(applied, (rule) => this.laneOf(rule)));
  }

  /** Requests come in the order of time; those that step back are decided as a clock that does (R10), and counted. Throws a RangeError for a cost or time that is no integer from 0. */
  decide(request: ReplayRequest): ReplayVerdict {
    this.clock(request.atMs, request.cost);
    return this.decideBy(this.index.match(request.attributes, request.atMs), request);
  }

  /** As {@link decide} for the rows of columns, from the first to before the last; many times as fast where rows repeat what their texts say. */
  decideColumns(columns: RequestColumns, from = 0, to = columns.length): void {
    const kindAt = this.matches.reader(columns);
    this.columnSums.turnTo(columns);
    const { atMs: times, cost: costs, share: shares, allowed } = columns;
    for (let row = from; row < to; row += 1) {
      const atMs = times[row] ?? Number.NaN;
      const cost = costs[row] ?? Number.NaN;
      this.clock(atMs, cost);
      const { applied, limits, isWatched, byKey } = kindAt(row);
      if (isWatched) {
        this.decideBy(applied, requestAt(columns, row));
        continue;
      }
      for (let at = 0; at < limits.length; at += 1) {
        const limit = limits[at];
        if (limit !== undefined) limit.counter = this.counterAt(limit, columns, row, atMs);
      }
      const share = shares[row] ?? Number.NaN;
      const wasAllowed = allowed[row] === 1;
      const weight = this.weights.of(share);
      const decided = decideTogether(limits, cost, weight, atMs);
      const requests = share >= 1 ? 1 : 1 / share;
      const refused = (requests * (weight - decided.admitted)) / weight;
      this.columnSums.add(row, atMs, cost, share, wasAllowed, requests, refused, byKey?.counter);
      for (let at = 0; at < limits.length; at += 1) {
        const limit = limits[at];
        if (limit !== undefined) this.note(limit, decided, atMs, share, cost, requests, refused, wasAllowed);
      }
    }
  }

  /** What it comes to so far; cheap enough to be asked every second. */
  report(options: ReportOptions = {}): ReplayReport {
    return reportOf(this.sums, this.lanes, options);
  }

  /** Counters in use, or not yet forgotten. */
  get counters(): number {
    let counters = 0;
    for (const lane of this.lanes.values()) counters += lane.counters.size;
    return counters;
  }

  private clock(atMs: number, cost: number): void {
    assertInteger('cost', cost);
    assertInteger('atMs', atMs);
    if (atMs < this.lastMs) this.sums.outOfOrder += 1;
    else this.lastMs = atMs;
  }

  private decideBy(applied: readonly AppliedRule[], request: ReplayRequest): ReplayVerdict {
    const { atMs, cost, share = 1, wasAllowed } = request;
    const { limits, shadows } = this.split(applied, request);
    join(limits);
    const weight = this.weights.of(share);
    const decided = decideTogether(limits, cost, weight, atMs);
    const requests = share >= 1 ? 1 : 1 / share;
    const refused = (requests * (weight - decided.admitted)) / weight;
    this.sums.add(request, requests, refused, share, counterOfKey(limits));
    for (const limit of limits) this.note(limit, decided, atMs, share, cost, requests, refused, wasAllowed);
    // A peek is no request that a rule in shadow would have refused.
    if (shadows !== undefined && cost > 0) this.watch(shadows, limits, decided, request, requests, weight);
    return { allowed: decided.admitted === weight, weight, admitted: decided.admitted, ruleId: decided.deciding?.applied.rule.ruleId };
  }

  private counterAt({ applied, lane }: Limit, columns: RequestColumns, row: number, atMs: number): Counter {
    if (lane.columns !== columns) this.turnLane(lane, columns);
    const { column, counters, number } = lane;
    if (column === undefined) return counters.find(attributesAt(columns, row), applied.quota, atMs);
    const value = column.codes[row] ?? 0;
    const known = this.found.get(number, value);
    if (known !== undefined && counters.isCurrent(known, applied.quota, atMs)) return known;
    // Nothing else of the request is looked at.
    const counter = counters.find({ [lane.name]: column.dictionary.textOf(value) ?? '' }, applied.quota, atMs);
    this.found.set(number, value, counter);
    return counter;
  }

  private turnLane(lane: RuleLane, columns: RequestColumns): void {
    lane.columns = columns;
    lane.column = lane.rule.countBy.length > 1 ? undefined : columns.attributes.get(lane.name);
    if (lane.column === undefined || lane.column.dictionary === lane.dictionary) return;
    lane.dictionary = lane.column.dictionary;
    // Under a number that nothing was found by before.
    lane.number = this.numbers;
    this.numbers += 1;
  }

  private split(applied: readonly AppliedRule[], { attributes, atMs }: ReplayRequest): { readonly limits: readonly Limit[]; readonly shadows: readonly AppliedRule[] | undefined } {
    const limits: Limit[] = [];
    for (let at = 0; at < applied.length; at += 1) {
      const one = applied[at];
      if (one === undefined) continue;
      // Those in shadow come last.
      if (one.rule.mode === 'shadow') return { limits, shadows: applied.slice(at) };
      limits.push(limitOf(one, this.laneOf(one.rule), attributes, atMs));
    }
    return { limits, shadows: undefined };
  }

  private note(limit: Limit, { deciding }: Decided, atMs: number, share: number, cost: number, requests: number, refused: number, wasAllowed: boolean | undefined): void {
    const { lane, counter, applied } = limit;
    const ofThis = limit === deciding ? refused : 0;
    lane.requests += requests;
    if (ofThis > 0) {
      lane.refused += ofThis;
      if (wasAllowed === true) lane.newlyRefused += ofThis;
    }
    if (this.sums.sampled) lane.error.note(counter, applied.quota, atMs, share, cost, requests, ofThis);
  }

  /**
   * Rules in shadow, each by itself on counters of its own, for what all limits of other policies admit (R58): a request that another policy refuses they are not
   * asked about.
   */
  private watch(shadows: readonly AppliedRule[], limits: readonly Limit[], { denying, admitted }: Decided, { attributes, atMs, share = 1, cost, wasAllowed }: ReplayRequest, requests: number, weight: number): void {
    for (const one of shadows) {
      const { rule } = one;
      const isAskedFor = denying.every(({ applied }) => applied.rule.policy === rule.policy || applied.rule.ruleId === rule.replaces);
      const asked = isAskedFor ? weight : admitted;
      if (asked === 0) continue;
      const limit = limitOf(one, this.laneOf(rule), attributes, atMs);
      for (const { lane } of limits) limit.lane.askedAfter.add(lane);
      const decided = decideTogether([limit], cost, asked, atMs);
      const refused = (requests * (asked - decided.admitted)) / weight;
      this.note(limit, decided, atMs, share, cost, (requests * asked) / weight, refused, wasAllowed);
    }
  }

  private laneOf(rule: CompiledRule): RuleLane {
    let lane = this.lanes.get(rule);
    if (lane === undefined) {
      lane = new RuleLane(rule, this.mostCounters);
      this.lanes.set(rule, lane);
    }
    return lane;
  }
}

/** A replay of recorded requests; no I/O. */
export function createReplay(options: ReplayOptions): Replay {
  return new Replay(options);
}

function counterOfKey(limits: readonly Limit[]): Counter | undefined {
  // By number: on the path of every request.
  for (let at = 0; at < limits.length; at += 1) if (limits[at]?.lane.isByKey === true) return limits[at]?.counter;
  return undefined;
}

function assertInteger(name: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${name} must be an integer of at least 0, got ${String(value)}`);
}
