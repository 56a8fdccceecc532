import { BinTable } from './bin-table.js';
import { hasAll, type Candidate } from './candidate.js';
import { Cell } from './cell.js';
import type { AppliedRule } from './compiled-rule.js';
import { EndpointAutomaton } from './endpoint-automaton.js';
import type { EndpointState } from './endpoint-state.js';
import { OverrideTable } from './override-table.js';
import { rankedCandidates } from './ranked-candidates.js';
import type { RuleIndex } from './rule-index.js';
import type { RequestAttributes, Snapshot } from './rule.js';
import { atOnce, eachInSteps, type Steps } from './steps.js';

/** Cells kept before the index starts over; one holds a few hundred bytes. */
const MAX_CELLS = 65_536;

/** Builds the matching index of a validated snapshot. Throws a RangeError for a malformed endpoint. */
export function compileSnapshot(snapshot: Snapshot): RuleIndex {
  return atOnce(compileSnapshotSteps(snapshot));
}

/** As {@link compileSnapshot}, in small steps. */
export function* compileSnapshotSteps(snapshot: Snapshot): Steps<RuleIndex> {
  const { candidates, templates } = yield* rankedCandidates(snapshot);
  const endpoints = yield* EndpointAutomaton.of(templates, endpointsOf(snapshot));
  const bins = yield* BinTable.of(candidates, templates.length);
  const byRule = new Map<string, Candidate>();
  yield* eachInSteps(candidates, (candidate) => byRule.set(candidate.match.ruleId, candidate));
  const watched = candidates.some(({ shadow }) => shadow);
  return new CompiledSnapshot(snapshot.version, endpoints, bins, yield* OverrideTable.of(snapshot.overrides, byRule), watched);
}

function* endpointsOf({ rules }: Snapshot): Iterable<string> {
  for (const { endpoint } of rules) if (endpoint !== undefined) yield endpoint;
}

class CompiledSnapshot implements RuleIndex {
  private readonly cells = new Map<number, Cell>();

  constructor(
    readonly version: number,
    private readonly endpoints: EndpointAutomaton,
    private readonly bins: BinTable,
    private readonly overrides: OverrideTable,
    private readonly watched: boolean,
  ) {}

  match(attributes: RequestAttributes, nowMs: number): readonly AppliedRule[] {
    const state = this.endpoints.locate(attributes.endpoint);
    const cell = this.cellOf(state, attributes);
    const overrides = this.overrides.live(attributes.key_id, nowMs);
    if (overrides === undefined && cell.groups.length === 0 && hasAll(attributes, cell.needs)) return cell.usual;
    return this.contested(cell, overrides, attributes, state);
  }

  /** By itself, so that what nearly every request takes stays small. */
  private contested(cell: Cell, overrides: readonly Candidate[] | undefined, attributes: RequestAttributes, state: EndpointState): readonly AppliedRule[] {
    const contest = cell.contest(attributes, this.watched);
    if (overrides !== undefined) {
      for (const candidate of overrides) if (concerns(candidate, attributes, state)) contest.enter(candidate);
    }
    return contest.applied();
  }

  private cellOf(state: EndpointState, attributes: RequestAttributes): Cell {
    const domain = this.bins.domainOf(attributes.domain);
    const plan = this.bins.planOf(attributes.plan);
    const key = this.bins.cellKey(state.id, domain, plan);
    let cell = this.cells.get(key);
    if (cell === undefined) {
      cell = new Cell(this.bins.select(domain, plan, state.patterns), this.watched);
      if (this.cells.size >= MAX_CELLS) this.cells.clear();
      this.cells.set(key, cell);
    }
    return cell;
  }
}

function concerns({ match, pattern, countBy }: Candidate, attributes: RequestAttributes, state: EndpointState): boolean {
  return (
    (match.domain === undefined || match.domain === attributes.domain) &&
    (match.plan === undefined || match.plan === attributes.plan) &&
    (pattern === 0 || state.patterns.includes(pattern)) &&
    match.exact.every(([name, value]) => attributes[name] === value) &&
    hasAll(attributes, match.wild) &&
    hasAll(attributes, countBy)
  );
}
