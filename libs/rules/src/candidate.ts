import type { AppliedRule } from './compiled-rule.js';
import type { RuleMatch } from './rule-match.js';
import type { RequestAttributes } from './rule.js';

/** A rule as the index ranks it. */
export interface Candidate {
  readonly match: RuleMatch;
  /** Number of the template among the patterns of the automaton, 0 for any endpoint. */
  readonly pattern: number;
  /** Place in the order of specificity over the whole snapshot, 0 the first; below 0 with an override. */
  readonly rank: number;
  /** Candidates compete within a lane: one policy. */
  readonly lane: number;
  /** Only watched: it stands beside those that are enforced (R58). */
  readonly shadow: boolean;
  /** Of one in shadow: ids of the enforced rules that it is not compared with, since it would be there instead of them. */
  readonly takesPlaceOf: ReadonlySet<string>;
  /** Enforced, and one in shadow would take its place: who stands behind it matters to that one. */
  readonly isReplaced: boolean;
  readonly countBy: readonly string[];
  readonly applied: AppliedRule;
  /** `[applied]`, frozen: the answer where nothing else applies, without an allocation. */
  readonly alone: readonly AppliedRule[];
}

/** Whether the request has all of these attributes. Objects that a request inherits (`constructor`) are no attributes. */
export function hasAll(attributes: RequestAttributes, names: readonly string[]): boolean {
  // By number: an iterator over a frozen array is not optimised away, and this is on the path of every request.
  for (let at = 0; at < names.length; at += 1) if (typeof attributes[names[at] ?? ''] !== 'string') return false;
  return true;
}

/** Lets an enforced candidate take its lane from a less specific one. There are few lanes a request, so a list beats a map. */
export function contend(winners: Candidate[], candidate: Candidate): void {
  for (let at = 0; at < winners.length; at += 1) {
    const winner = winners[at];
    if (winner === undefined || winner.lane > candidate.lane) {
      winners.splice(at, 0, candidate);
      return;
    }
    if (winner.lane === candidate.lane) {
      if (candidate.rank < winner.rank) winners[at] = candidate;
      return;
    }
  }
  winners.push(candidate);
}

/** Whether an enforced one of `earlier` (more specific) always beats this one, whatever is compared: where this applies, all that the other counts by is there. */
export function isDominated(candidate: Candidate, earlier: readonly Candidate[]): boolean {
  const { countBy, lane, match } = candidate;
  const has = (name: string): boolean => countBy.includes(name) || match.wild.includes(name) || match.exact.some(([exact]) => exact === name);
  return earlier.some((other) => other.lane === lane && !other.shadow && !other.isReplaced && other.countBy.every(has));
}
