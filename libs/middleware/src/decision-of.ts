import type { Decision } from '@sluice/limiter';

/** Keyed by the raw request, so that skins of different frameworks on one server see each other's decision. */
const decisions = new WeakMap<object, Decision>();

/**
 * The decision that a skin made for this request, `undefined` when none did: a request is counted once even if the limiter is
 * bound twice (R75).
 *
 * @param request the `IncomingMessage` of node:http (`request.raw` in Fastify)
 */
export function decisionOf(request: object): Decision | undefined {
  return decisions.get(request);
}

/** For skins: remembers the decision of a request. */
export function rememberDecision(request: object, decision: Decision): void {
  decisions.set(request, decision);
}
