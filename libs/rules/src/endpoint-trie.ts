import type { EndpointTemplate } from './endpoint-template.js';

/** A node of the trie over a template's method and segments; pattern numbers start at 1, 0 is none. */
export interface TrieNode {
  /** The literal that leads here, in the rules' own string. */
  readonly literal: string;
  readonly literals: Map<string, TrieNode>;
  /** Any method or any one segment. */
  param: TrieNode | undefined;
  /** The pattern that ends here. */
  end: number;
  /** The pattern that ends here or any number of segments further. */
  tail: number;
}

export function trieNode(literal: string): TrieNode {
  return { literal, literals: new Map(), param: undefined, end: 0, tail: 0 };
}

/** Adds a template under its pattern number. The method is the first step, so that method and path are walked alike. */
export function addTemplate(root: TrieNode, { method, segments, tail }: EndpointTemplate, pattern: number): void {
  let node = child(root, method);
  for (const segment of segments) node = child(node, segment);
  if (tail) node.tail = pattern;
  else node.end = pattern;
}

function child(node: TrieNode, step: string | undefined): TrieNode {
  if (step === undefined) return (node.param ??= trieNode('{}'));
  let next = node.literals.get(step);
  if (next === undefined) {
    next = trieNode(step);
    node.literals.set(step, next);
  }
  return next;
}
