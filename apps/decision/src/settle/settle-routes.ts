import type { Limiter, Settlement } from '@sluice/limiter';
import { invalidRequest, problem, problemType, sendProblem } from '@sluice/platform';
import type { FastifyInstance, FastifyReply, onRequestHookHandler } from 'fastify';
import { parseSettlement } from './settle-request.js';

export interface SettleRoutesOptions {
  readonly limiter: Pick<Limiter, 'settle'>;
  readonly guards: readonly onRequestHookHandler[];
}

/** Answer of a settlement or a refund: permits, summed over the limits of the reservation. */
export interface SettlementAnswer {
  readonly status: 'settled';
  /** What stands charged now. */
  readonly charged: number;
  /** What went back. */
  readonly returned: number;
  /** What was charged beyond the estimate. */
  readonly indebted: number;
}

/**
 * `POST /v1/ratelimit:settle` and `POST /v1/ratelimit:refund` (R14): a reservation is settled by its id once, on whichever node; a refund is a
 * settlement with 0. The id comes in the body and is in no answer and no log, since whoever knows it may settle.
 */
export function addSettleRoutes(fastify: FastifyInstance, { limiter, guards }: SettleRoutesOptions): void {
  for (const [path, withCost] of [['/v1/ratelimit::settle', true], ['/v1/ratelimit::refund', false]] as const) {
    fastify.post(path, { onRequest: [...guards] }, async (request, reply) => {
      const parsed = parseSettlement(request.body, withCost);
      if (!parsed.ok) return sendProblem(reply, invalidRequest(parsed.faults));
      return answer(reply, await limiter.settle(parsed.decisionId, parsed.cost));
    });
  }
}

function answer(reply: FastifyReply, { status, charged, returned, indebted }: Settlement): FastifyReply {
  if (status === 'settled') {
    const settled: SettlementAnswer = { status, charged, returned, indebted };
    return reply.header('Cache-Control', 'no-store').send(settled);
  }
  if (status === 'unavailable') {
    return sendProblem(reply, problem(503, { detail: 'The counters cannot be reached at the moment, and the reservation stands; try again, here if you can.' }), { 'Retry-After': '1' });
  }
  const detail = 'There is no such reservation to settle: it was settled before, has expired, or never was.';
  return sendProblem(reply, problem(404, { type: problemType('unknown-decision'), title: 'Unknown decision', detail }));
}
