import type { Bin } from './bin-table.js';
import { contend, hasAll, isDominated, type Candidate } from './candidate.js';
import type { AppliedRule } from './compiled-rule.js';
import type { DescriptorGroup } from './descriptor-group.js';
import type { RequestAttributes } from './rule.js';

/** What applies to the requests of one domain, plan and set of matching endpoints, worked out on the first of them. */
export class Cell {
  /** The answer for a request that has all of {@link needs}, unless descriptors or overrides have a say. */
  readonly usual: readonly AppliedRule[];
  readonly needs: readonly string[];
  readonly groups: readonly DescriptorGroup[];
  private readonly plain: readonly Candidate[];

  constructor(bins: readonly Bin[]) {
    this.groups = bins.flatMap((bin) => bin.groups);
    const kept: Candidate[] = [];
    for (const candidate of bins.flatMap((bin) => bin.plain).sort((a, b) => a.rank - b.rank)) {
      if (!isDominated(candidate, kept)) kept.push(candidate);
    }
    this.plain = kept;
    const best: Candidate[] = [];
    for (const candidate of kept) contend(best, candidate);
    this.needs = [...new Set(best.flatMap((candidate) => candidate.countBy))];
    this.usual = Object.freeze(best.map((candidate) => candidate.applied));
  }

  /** The best of each lane, in the order of lanes, before overrides. */
  winners(attributes: RequestAttributes): Candidate[] {
    const winners: Candidate[] = [];
    for (const candidate of this.plain) if (hasAll(attributes, candidate.countBy)) contend(winners, candidate);
    for (const group of this.groups) {
      for (const candidate of group.find(attributes)) if (hasAll(attributes, candidate.countBy)) contend(winners, candidate);
    }
    return winners;
  }
}
