import type { Candidate } from './candidate.js';
import { compileSnapshotSteps } from './compile-snapshot.js';
import type { AppliedRule } from './compiled-rule.js';
import { EndpointAutomaton } from './endpoint-automaton.js';
import { rankReason } from './explain-rank.js';
import { matchFault, type MatchFault } from './match-fault.js';
import { rankedCandidates } from './ranked-candidates.js';
import type { RuleIndex } from './rule-index.js';
import type { Mode, Override, RequestAttributes, Snapshot } from './rule.js';
import { type Steps } from './steps.js';

/** What one rule has to do with a request, and why. */
export interface RuleExplanation {
  /** A rule's id, or `plan:<plan_id>`. */
  readonly ruleId: string;
  /** Absent of a rule that is not there. */
  readonly mode: Mode | undefined;
  readonly applies: boolean;
  /** Matches the request and counts it; another one may apply instead. */
  readonly matches: boolean;
  /** Why it applies or does not, in a word. */
  readonly reason: 'most_specific' | 'override' | 'outranked' | MatchFault | 'off' | 'unknown_rule';
  /** The same for people. */
  readonly detail: string;
  /** With `outranked`: the rule that applies instead. */
  readonly outrankedBy: string | undefined;
  /** The override by which it applies. */
  readonly overrideId: string | undefined;
}

/** Why these rules apply to a request. */
export interface MatchExplanation {
  /** What {@link RuleIndex.match} gives. */
  readonly applied: readonly AppliedRule[];
  /** All that match, the most specific first. */
  readonly matching: readonly RuleExplanation[];
  /** Those that were asked for and do not match, in the order asked; after them those that lack nothing but an attribute to count by, 50 at most. */
  readonly others: readonly RuleExplanation[];
  /** All overrides of the request's key, live or not. */
  readonly overrides: readonly Override[];
}

const MOST_NEAR = 50;

/** Says of each rule of one snapshot why it applies to a request or does not. Not for the path of requests: it looks at every rule. */
export class MatchExplainer {
  private constructor(
    private readonly snapshot: Snapshot,
    readonly index: RuleIndex,
    private readonly candidates: readonly Candidate[],
    private readonly endpoints: EndpointAutomaton,
  ) {}

  /** Expects a validated snapshot. */
  static *of(snapshot: Snapshot): Steps<MatchExplainer> {
    const index = yield* compileSnapshotSteps(snapshot);
    const { candidates, templates } = yield* rankedCandidates(snapshot);
    return new MatchExplainer(snapshot, index, candidates, yield* EndpointAutomaton.of(templates, []));
  }

  /** @param asked ids of rules to explain even if they do not match */
  explain(attributes: RequestAttributes, nowMs: number, asked: readonly string[] = []): MatchExplanation {
    const applied = this.index.match(attributes, nowMs);
    const { patterns } = this.endpoints.locate(attributes.endpoint);
    const matching: RuleExplanation[] = [];
    const others = new Map<string, RuleExplanation>();
    for (const candidate of this.candidates) {
      const { ruleId } = candidate.match;
      const found = matchFault(candidate.match, candidate.countBy, attributes, candidate.pattern === 0 || patterns.includes(candidate.pattern));
      if (found === undefined) matching.push(this.ofMatching(candidate, applied));
      // What lacks only an attribute to count by is what people wonder about.
      else if (asked.includes(ruleId) || (found.fault === 'count_by' && others.size < MOST_NEAR)) others.set(ruleId, { ...unmatched(ruleId, candidate.applied.rule.mode), reason: found.fault, detail: found.detail });
    }
    const shown = new Set(matching.map(({ ruleId }) => ruleId));
    return {
      applied,
      matching,
      others: [...new Set([...asked, ...others.keys()])].filter((ruleId) => !shown.has(ruleId)).map((ruleId) => others.get(ruleId) ?? this.ofAbsent(ruleId)),
      overrides: this.snapshot.overrides.filter(({ key_id }) => key_id === attributes.key_id),
    };
  }

  private ofMatching(candidate: Candidate, applied: readonly AppliedRule[]): RuleExplanation {
    const { ruleId } = candidate.match;
    const { policy, mode } = candidate.applied.rule;
    const own = applied.find(({ rule }) => rule.ruleId === ruleId);
    if (own !== undefined) {
      const reason = own.overrideId === undefined ? 'most_specific' : 'override';
      const best = mode === 'shadow' ? `it would decide this in the policy ${policy} if it were enforced` : `it is the most specific of those that match in the policy ${policy}`;
      const detail = own.overrideId === undefined ? best : `an override of it for this key is in force (${own.overrideId}), which goes before all that have none`;
      return { ruleId, mode, matches: true, applies: true, reason, detail, outrankedBy: undefined, overrideId: own.overrideId };
    }
    const winner = this.winnerOver(candidate, applied);
    const why = winner === undefined ? 'another one of its policy applies' : winner.overrideId === undefined ? rankReason(winner.candidate.match, candidate.match) : 'an override of that one for this key goes before all that have none';
    const detail = winner === undefined ? why : `${winner.candidate.match.ruleId} applies instead: ${why}`;
    return { ruleId, mode, matches: true, applies: false, reason: 'outranked', detail, outrankedBy: winner?.candidate.match.ruleId, overrideId: undefined };
  }

  /** Of those that apply in the same policy the one that goes before; an enforced one rather than one in shadow, which displaces nothing. */
  private winnerOver({ rank, applied: { rule } }: Candidate, applied: readonly AppliedRule[]): { readonly candidate: Candidate; readonly overrideId: string | undefined } | undefined {
    const found = applied.flatMap(({ rule: other, overrideId }) => {
      const candidate = other.policy === rule.policy && other.mode !== 'off' ? this.candidates.find(({ match }) => match.ruleId === other.ruleId) : undefined;
      return candidate !== undefined && (candidate.rank < rank || overrideId !== undefined) ? [{ candidate, overrideId, mode: other.mode }] : [];
    });
    return found.find(({ mode }) => mode === 'enforce') ?? found.find(({ mode }) => mode === rule.mode);
  }

  private ofAbsent(ruleId: string): RuleExplanation {
    const isOff = this.snapshot.rules.some((rule) => rule.rule_id === ruleId && rule.mode === 'off');
    return isOff ? { ...unmatched(ruleId, 'off'), reason: 'off', detail: 'it is switched off' } : { ...unmatched(ruleId, undefined), reason: 'unknown_rule', detail: 'there is no such rule' };
  }
}

function unmatched(ruleId: string, mode: Mode | undefined): Pick<RuleExplanation, 'ruleId' | 'mode' | 'applies' | 'matches' | 'outrankedBy' | 'overrideId'> {
  return { ruleId, mode, applies: false, matches: false, outrankedBy: undefined, overrideId: undefined };
}
