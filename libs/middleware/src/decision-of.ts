import type { Decision } from '@sluice/limiter';
import { combinedDecision } from './combined-decision.js';

/** Registered by name, so that two copies of this library in one process see each other's decisions. A property costs less than an entry of a WeakMap. */
const COUNTED = Symbol.for('@sluice/middleware:counted');

/** One limit that a request was counted by. */
interface Counted {
  readonly by: object;
  readonly name: string | undefined;
  readonly own: Decision;
  /** Of this limit and of those before it. */
  readonly decision: Decision;
  readonly earlier: Counted | undefined;
}

interface Markable {
  [COUNTED]?: Counted | undefined;
}

/**
 * The decision that the skins made for this request, `undefined` when none did. Of several limits (see {@link rememberDecision}) it has the
 * policies of all, and the tightest decides.
 *
 * @param request the `IncomingMessage` of node:http (`request.raw` in Fastify, the request itself in Express)
 */
export function decisionOf(request: object): Decision | undefined {
  const marked: Markable = request;
  return marked[COUNTED]?.decision;
}

/** For skins: whether this limit has counted the request already (R75). A limit is a decider and a name. */
export function isCounted(request: object, by: object, name: string | undefined): boolean {
  const marked: Markable = request;
  for (let counted = marked[COUNTED]; counted !== undefined; counted = counted.earlier) {
    if (counted.by === by && counted.name === name) return true;
  }
  return false;
}

/** For skins: remembers the decision of one limit; what is returned stands for all limits of the request so far. */
export function rememberDecision(request: object, by: object, name: string | undefined, decision: Decision): Decision {
  const marked: Markable = request;
  const earlier = marked[COUNTED];
  const all = earlier === undefined ? decision : combinedDecision(earlier.decision, decision);
  marked[COUNTED] = { by, name, own: decision, decision: all, earlier };
  return all;
}

/** For skins: a rule that two limits of one decider have charged for this request; there should be none. */
export function ruleChargedTwice(request: object, by: object): string | undefined {
  const marked: Markable = request;
  const charged = new Set<string>();
  for (let counted = marked[COUNTED]; counted !== undefined; counted = counted.earlier) {
    if (counted.by !== by || !counted.own.allowed) continue;
    for (const { ruleId } of counted.own.policies) {
      if (charged.has(ruleId)) return ruleId;
      charged.add(ruleId);
    }
  }
  return undefined;
}
