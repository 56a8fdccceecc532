import type { TrieNode } from './endpoint-trie.js';

/** All places of the trie that a request can be at after some steps: literal and `{param}` branches at once. */
export class EndpointState {
  /** Patterns that match a request that ends here. */
  readonly patterns: readonly number[];
  /** Whether any step is told from the others. */
  readonly branches: boolean;
  private readonly steps = new Map<string, EndpointState>();
  private elsewhere: EndpointState | undefined;

  constructor(
    /** Unique among the states of one automaton, for use in a cell's key. */
    readonly id: number,
    private readonly nodes: readonly TrieNode[],
    private readonly tails: readonly number[],
  ) {
    this.branches = nodes.some((node) => node.literals.size > 0);
    this.patterns = [...new Set([...tails, ...nodes.flatMap((node) => [node.tail, node.end])])].filter((pattern) => pattern > 0);
  }

  /** Whether no further step changes what matches. */
  get isFinal(): boolean {
    return this.nodes.length === 0;
  }

  /** The state after one step that no rule names, if such a step was taken before. */
  get anywhere(): EndpointState | undefined {
    return this.elsewhere;
  }

  /** The state after one step that was taken before, or undefined. */
  known(step: string): EndpointState | undefined {
    return this.steps.get(step) ?? (this.elsewhere !== undefined && !this.nodes.some((node) => node.literals.has(step)) ? this.elsewhere : undefined);
  }

  /** Makes and remembers the state after a step. Steps that no rule names share one, so requests cannot add states of their own. */
  advance(step: string, id: number): EndpointState {
    const branches = this.nodes.flatMap((node) => node.literals.get(step) ?? []);
    const params = this.nodes.flatMap((node) => node.param ?? []);
    const tails = this.nodes.flatMap((node) => (node.tail > 0 ? [node.tail] : []));
    const next = new EndpointState(id, [...branches, ...params], tails.length > 0 ? [...this.tails, ...tails] : this.tails);
    const literal = branches[0]?.literal;
    // The rule's own string: a slice of the request's path would keep the whole path alive.
    if (literal === undefined) this.elsewhere = next;
    else this.steps.set(literal, next);
    return next;
  }
}
