import type { Candidate } from './candidate.js';
import { DescriptorGroup } from './descriptor-group.js';
import type { RuleMatch } from './rule-match.js';
import { eachInSteps, type Steps } from './steps.js';

/** The rules with exactly the same domain, plan and endpoint; absent ones count as a value of their own. */
export interface Bin {
  /** Without descriptors, by rank. */
  readonly plain: readonly Candidate[];
  readonly groups: readonly DescriptorGroup[];
}

/** Every rule is in one bin, and a request concerns at most 2 x 2 x (matching endpoints + 1) of them. */
export class BinTable {
  private readonly domains = new Map<string | undefined, number>([[undefined, 0]]);
  private readonly plans = new Map<string | undefined, number>([[undefined, 0]]);
  private readonly bins = new Map<number, Bin>();

  private constructor(private readonly patternCount: number) {}

  /** @param ranked all rules, by rank */
  static *of(ranked: readonly Candidate[], patternCount: number): Steps<BinTable> {
    const table = new BinTable(patternCount);
    yield* eachInSteps(ranked, ({ match }) => table.number(match));
    const members = new Map<number, Candidate[]>();
    yield* eachInSteps(ranked, (candidate) => {
      const key = table.key(table.domainOf(candidate.match.domain), table.planOf(candidate.match.plan), candidate.pattern);
      const bin = members.get(key);
      if (bin === undefined) members.set(key, [candidate]);
      else bin.push(candidate);
    });
    for (const [key, candidates] of members) {
      table.bins.set(key, yield* binOf(candidates));
      yield;
    }
    return table;
  }

  /** The domain's number, 0 for one that no rule names. */
  domainOf(domain: string | undefined): number {
    return domain === undefined ? 0 : (this.domains.get(domain) ?? 0);
  }

  planOf(plan: string | undefined): number {
    return plan === undefined ? 0 : (this.plans.get(plan) ?? 0);
  }

  /** A number for each (state, domain, plan): what a request matches depends on nothing else, save its descriptors. */
  cellKey(state: number, domain: number, plan: number): number {
    return (state * this.domains.size + domain) * this.plans.size + plan;
  }

  /** The bins that a request of this domain, plan and endpoint concerns. */
  select(domain: number, plan: number, patterns: readonly number[]): readonly Bin[] {
    const keys = both(domain).flatMap((d) => both(plan).flatMap((p) => [0, ...patterns].map((pattern) => this.key(d, p, pattern))));
    return keys.flatMap((key) => this.bins.get(key) ?? []);
  }

  private number({ domain, plan }: RuleMatch): void {
    if (!this.domains.has(domain)) this.domains.set(domain, this.domains.size);
    if (!this.plans.has(plan)) this.plans.set(plan, this.plans.size);
  }

  private key(domain: number, plan: number, pattern: number): number {
    return (domain * this.plans.size + plan) * (this.patternCount + 1) + pattern;
  }
}

function both(value: number): readonly number[] {
  return value === 0 ? [0] : [0, value];
}

function* binOf(ranked: readonly Candidate[]): Steps<Bin> {
  const described: Candidate[] = [];
  yield* eachInSteps(ranked, (candidate) => {
    if (isDescribed(candidate)) described.push(candidate);
  });
  if (described.length === 0) return { plain: ranked, groups: NO_GROUPS };
  return { plain: ranked.filter((candidate) => !isDescribed(candidate)), groups: yield* DescriptorGroup.allOf(described) };
}

const NO_GROUPS: readonly DescriptorGroup[] = [];

function isDescribed({ match }: Candidate): boolean {
  return match.exact.length + match.wild.length > 0;
}
