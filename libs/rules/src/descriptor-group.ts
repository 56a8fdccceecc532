import { hasAll, isDominated, type Candidate } from './candidate.js';
import type { RuleMatch } from './rule-match.js';
import type { RequestAttributes } from './rule.js';
import { eachInSteps, type Steps } from './steps.js';

/** Nested by the values of the exact names, in their order. */
interface ValueNode {
  readonly next: Map<string, ValueNode>;
  readonly candidates: Candidate[];
}

/**
 * Candidates of one bin with the same descriptor names, exact and any, found by the values of the exact ones (a tuple space): ten
 * thousand rules for ten thousand tenants cost one look-up.
 */
export class DescriptorGroup {
  private readonly root = valueNode();
  private readonly names: readonly string[];
  private readonly wild: readonly string[];

  private constructor({ exact, wild }: RuleMatch) {
    this.names = exact.map(([name]) => name);
    this.wild = wild;
  }

  /** Groups candidates, ordered by rank, by their descriptor names. */
  static *allOf(ranked: readonly Candidate[]): Steps<readonly DescriptorGroup[]> {
    const byNames = new Map<string, DescriptorGroup>();
    yield* eachInSteps(ranked, (candidate) => {
      const { exact, wild } = candidate.match;
      const names = `${exact.map(([name]) => name).join()} ${wild.join()}`;
      let group = byNames.get(names);
      if (group === undefined) {
        group = new DescriptorGroup(candidate.match);
        byNames.set(names, group);
      }
      group.add(candidate);
    });
    return [...byNames.values()];
  }

  /** Those whose descriptors the request has, by rank. */
  find(attributes: RequestAttributes): readonly Candidate[] {
    let node: ValueNode | undefined = this.root;
    for (const name of this.names) {
      const value: unknown = attributes[name];
      node = typeof value === 'string' ? node.next.get(value) : undefined;
      if (node === undefined) return NONE;
    }
    return hasAll(attributes, this.wild) ? node.candidates : NONE;
  }

  private add(candidate: Candidate): void {
    const node = candidate.match.exact.reduce((at, [, value]) => nodeAt(at, value), this.root);
    if (!isDominated(candidate, node.candidates)) node.candidates.push(candidate);
  }
}

const NONE: readonly Candidate[] = [];

function valueNode(): ValueNode {
  return { next: new Map(), candidates: [] };
}

function nodeAt(parent: ValueNode, value: string): ValueNode {
  let node = parent.next.get(value);
  if (node === undefined) {
    node = valueNode();
    parent.next.set(value, node);
  }
  return node;
}
