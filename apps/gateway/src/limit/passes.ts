import type { Decision, Limiter } from '@sluice/limiter';
import { rateLimitHeaders } from '@sluice/middleware';
import type { ObserveDecision } from '@sluice/rules-node';
import type { RequestAttributes } from '@sluice/rules';
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { answerRefusal } from './answer-refusal.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Of the coarse pass; `undefined` when no rule of its domain applied. */
    coarse: Decision | undefined;
    /** Of the pass by caller; `undefined` before it, and for what it does not count. */
    decision: Decision | undefined;
    /** Names what the pass by caller charged, where the upstream says the true cost (R14). */
    reservation: string | undefined;
  }
}

export interface PassesOptions {
  readonly limiter: Pick<Limiter, 'check' | 'reserve'>;
  readonly observe: ObserveDecision;
  /** Domain of the coarse pass. */
  readonly domain: string;
  readonly hasCoarse: () => boolean;
  /** Charge the pass by caller as a reservation, to be settled by what the upstream says. */
  readonly reserves: boolean;
}

/** setTimeout takes no more, and fires at once instead (known failure 43). */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

type Hook = (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction) => void;

/**
 * The coarse pass, before anybody asks who the caller is: an `onRequest` hook that counts by endpoint and address, for all gateways
 * together. It counts attempts: preflights too, and nothing is given back when a later step refuses.
 */
export function coarsePass({ limiter, observe, domain, hasCoarse }: PassesOptions): Hook {
  return (request, reply, done) => {
    if (!hasCoarse()) return done();
    const startedMs = performance.now();
    const attributes: RequestAttributes = { domain, endpoint: request.endpoint, ip: request.client.address };
    const act = (decision: Decision): void => {
      // Where no rule of this pass applies the pass by caller says all there is to say.
      observe(decision, (performance.now() - startedMs) / 1000, decision.deciding === undefined ? undefined : attributes);
      if (decision.deciding !== undefined) request.coarse = decision;
      goOn(decision, reply, done);
    };
    const decision = limiter.check(attributes);
    if (decision instanceof Promise) decision.then(act).catch(done);
    else act(decision);
  };
}

/** The pass by caller: an `onRequest` hook that counts what its key makes, once it is known. OPTIONS is not counted (known failure 73). */
export function callerPass({ limiter, observe, reserves }: PassesOptions): Hook {
  return (request, reply, done) => {
    if (request.method === 'OPTIONS') return done();
    const startedMs = performance.now();
    const attributes = attributesOf(request);
    const act = (decision: Decision): void => {
      observe(decision, (performance.now() - startedMs) / 1000, attributes);
      request.decision = decision;
      goOn(decision, reply, done);
    };
    if (reserves) {
      limiter
        .reserve(attributes, 1)
        .then(({ decision, id }) => {
          request.reservation = id;
          act(decision);
        })
        .catch(done);
      return;
    }
    const decision = limiter.check(attributes);
    if (decision instanceof Promise) decision.then(act).catch(done);
    else act(decision);
  };
}

/** What the pass by caller counts a request as. */
export function attributesOf({ endpoint, client, caller }: FastifyRequest): RequestAttributes {
  return { endpoint, ip: client.address, key_id: caller?.keyId, tenant_id: caller?.tenantId, plan: caller?.plan };
}

/** The fields of an answer to a request that passed (R70): of two passes that allow, those of the one with fewer permits left. Empty where nothing was counted. */
export function passedFields({ coarse, decision }: Pick<FastifyRequest, 'coarse' | 'decision'>): Record<string, string> {
  const shown = tighter(coarse, decision);
  return shown === undefined || !shown.allowed ? {} : rateLimitHeaders(shown);
}

function tighter(coarse: Decision | undefined, decision: Decision | undefined): Decision | undefined {
  if (coarse?.deciding === undefined) return decision;
  if (decision?.deciding === undefined) return coarse;
  return decision.allowed && coarse.deciding.remaining < decision.deciding.remaining ? coarse : decision;
}

function goOn(decision: Decision, reply: FastifyReply, done: HookHandlerDoneFunction): void {
  if (!decision.allowed) return answerRefusal(reply, decision);
  if (decision.delayMs <= 0) return done();
  const timer = setTimeout(done, Math.min(decision.delayMs, MAX_TIMEOUT_MS));
  // The client hung up while it was held back: nothing is left to do.
  reply.raw.once('close', () => clearTimeout(timer));
}
