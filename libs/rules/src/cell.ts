import type { Bin } from './bin-table.js';
import { hasAll, isDominated, type Candidate } from './candidate.js';
import type { AppliedRule } from './compiled-rule.js';
import { Contest } from './contest.js';
import type { DescriptorGroup } from './descriptor-group.js';
import type { RequestAttributes } from './rule.js';

/** What applies to the requests of one domain, plan and set of matching endpoints, worked out on the first of them. */
export class Cell {
  /** The answer for a request that has all of {@link needs}, unless descriptors or overrides have a say. */
  readonly usual: readonly AppliedRule[];
  readonly needs: readonly string[];
  readonly groups: readonly DescriptorGroup[];
  private readonly plain: readonly Candidate[];

  /** @param watched whether there are rules in shadow at all */
  constructor(bins: readonly Bin[], watched: boolean) {
    this.groups = bins.flatMap((bin) => bin.groups);
    const kept: Candidate[] = [];
    for (const candidate of bins.flatMap((bin) => bin.plain).sort((a, b) => a.rank - b.rank)) {
      if (!isDominated(candidate, kept)) kept.push(candidate);
    }
    this.plain = kept;
    const contest = new Contest(watched);
    for (const candidate of kept) contest.enter(candidate);
    this.needs = contest.needs();
    this.usual = Object.freeze(contest.applied());
  }

  /** All that concern a request and are counted by what it has, overrides apart. */
  contest(attributes: RequestAttributes, watched: boolean): Contest {
    const contest = new Contest(watched);
    for (const candidate of this.plain) if (hasAll(attributes, candidate.countBy)) contest.enter(candidate);
    for (const group of this.groups) {
      for (const candidate of group.find(attributes)) if (hasAll(attributes, candidate.countBy)) contest.enter(candidate);
    }
    return contest;
  }
}
