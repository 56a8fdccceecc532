import { contend, type Candidate } from './candidate.js';
import type { AppliedRule } from './compiled-rule.js';

/**
 * The rules that concern one request, entered in any order. Of the enforced ones the best of each policy applies. One in shadow applies where it would
 * decide if it were enforced (R58): no enforced rule of its policy outranks it, but for those whose place it would take. Two in shadow are two
 * questions, so neither displaces the other, and none displaces an enforced one.
 */
export class Contest {
  /** Enforced, by lane. */
  private readonly best: Candidate[] = [];
  /** All enforced, where somebody has to be compared with more than the best. */
  private readonly enforced: Candidate[] = [];
  private readonly shadows: Candidate[] = [];

  /** @param watched whether there are rules in shadow at all */
  constructor(private readonly watched: boolean) {}

  enter(candidate: Candidate): void {
    if (candidate.shadow) {
      this.shadows.push(candidate);
      return;
    }
    contend(this.best, candidate);
    if (this.watched) this.enforced.push(candidate);
  }

  /** Enforced ones first, by policy, then those in shadow, by policy and rank. */
  applied(): readonly AppliedRule[] {
    const { best } = this;
    if (this.shadows.length === 0) return best.length === 1 && best[0] !== undefined ? best[0].alone : best.map((winner) => winner.applied);
    return [...best, ...this.deciding()].map((candidate) => candidate.applied);
  }

  /** What a request must have for {@link applied} to be true of it, where all that were entered match it: nothing else changes the outcome. */
  needs(): readonly string[] {
    const rivals = this.shadows.flatMap((shadow) => this.rivalOf(shadow) ?? []);
    return [...new Set([...this.best, ...this.deciding(), ...rivals].flatMap(({ countBy }) => countBy))];
  }

  private deciding(): readonly Candidate[] {
    return this.shadows
      .filter((shadow) => this.rivalOf(shadow) === undefined && !this.shadows.some((other) => other.match.ruleId === shadow.match.ruleId && other.rank < shadow.rank))
      .sort((a, b) => a.lane - b.lane || a.rank - b.rank);
  }

  private rivalOf({ lane, rank, takesPlaceOf }: Candidate): Candidate | undefined {
    return this.enforced.find((other) => other.lane === lane && other.rank < rank && !takesPlaceOf.has(other.match.ruleId));
  }
}
