import { canonicalPath } from './canonical-path.js';
import { parseEndpoint, type EndpointTemplate } from './endpoint-template.js';
import { EndpointState } from './endpoint-state.js';
import { addTemplate, trieNode, type TrieNode } from './endpoint-trie.js';
import { eachInSteps, type Steps } from './steps.js';

/** States kept before the automaton starts over; real rule sets need about as many as they have distinct route prefixes. */
const MAX_STATES = 50_000;

const SLASH = 0x2f;
const QUESTION_MARK = 0x3f;
const HASH = 0x23;

/**
 * Finds the templates that match an endpoint: a trie made deterministic as requests come, so that one walk, with one map
 * look-up a segment, finds all that match. A parser of regular expressions does the same (lazy DFA), and for the same reason.
 */
export class EndpointAutomaton {
  /** Of a request without a usable endpoint: no template matches. */
  readonly nowhere = new EndpointState(0, [], []);
  private readonly whole = new Map<string, EndpointState>();
  private start: EndpointState;
  private nextId = 1;
  private kept = 0;

  private constructor(
    private readonly root: TrieNode,
    private readonly maxStates: number,
  ) {
    this.start = this.initial();
  }

  /** `templates[i]` has the pattern number i + 1; `endpoints` are texts to know by heart: callers that send the route template. */
  static *of(templates: readonly EndpointTemplate[], endpoints: Iterable<string>, maxStates = MAX_STATES): Steps<EndpointAutomaton> {
    const root = trieNode('');
    yield* eachInSteps(templates, (template, index) => addTemplate(root, template, index + 1));
    const automaton = new EndpointAutomaton(root, maxStates);
    yield* eachInSteps(endpoints, (endpoint) => automaton.learn(endpoint));
    return automaton;
  }

  /** `GET /v1/items/7?x=1` or a route template; a query is not looked at, nor are empty segments, a slash at the end among them. */
  locate(endpoint: string | undefined): EndpointState {
    if (endpoint === undefined) return this.nowhere;
    return this.whole.get(endpoint) ?? this.walk(endpoint);
  }

  private learn(endpoint: string): void {
    if (this.whole.has(endpoint) || parseEndpoint(endpoint).kind !== 'template') return;
    this.whole.set(endpoint, this.walk(canonicalEndpoint(endpoint)));
  }

  private walk(endpoint: string): EndpointState {
    const space = endpoint.indexOf(' ');
    let from = space + 1;
    if (endpoint.charCodeAt(from) !== SLASH) return this.nowhere;
    // No trie branch has the name '', so a request without a method takes the any-method branch.
    let state = this.step(this.start, endpoint, 0, Math.max(0, space));
    while (from < endpoint.length && !state.isFinal) {
      const to = segmentEnd(endpoint, from + 1);
      if (to > from + 1) state = this.step(state, endpoint, from + 1, to);
      if (endpoint.charCodeAt(to) !== SLASH) break;
      from = to;
    }
    return state;
  }

  /** By the part of the endpoint between these places; it is cut out only where a rule asks what it is. */
  private step(state: EndpointState, endpoint: string, from: number, to: number): EndpointState {
    if (!state.branches && state.anywhere !== undefined) return state.anywhere;
    const step = endpoint.slice(from, to);
    return state.known(step) ?? this.advance(state, step);
  }

  private advance(state: EndpointState, step: string): EndpointState {
    if (this.kept >= this.maxStates) {
      this.start = this.initial();
      this.kept = 0;
    }
    this.kept += 1;
    return state.advance(step, this.nextId++);
  }

  private initial(): EndpointState {
    return new EndpointState(this.nextId++, [this.root], []);
  }
}

/** A template's text as its literals are in the trie. */
function canonicalEndpoint(endpoint: string): string {
  const from = endpoint.indexOf(' ') + 1;
  return endpoint.slice(0, from) + canonicalPath(endpoint.slice(from));
}

function segmentEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === SLASH || code === QUESTION_MARK || code === HASH) return at;
  }
  return text.length;
}
