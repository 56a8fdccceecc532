import type { Limiter, Settlement } from '@sluice/limiter';
import type { Registry } from '@sluice/platform';
import type { FastifyRequest } from 'fastify';
import { Counter } from 'prom-client';

/** The field in which an upstream says what its answer cost, in permits; never sent on. */
export const COST_FIELD = 'sluice-cost';

/**
 * What becomes of a charge once the upstream has answered, or has not (R14, R9). Nobody waits for it: a store that is away is counted, and
 * what was charged stands.
 */
export interface Charges {
  /** The upstream answered, with this cost field. Without one the estimate of 1 stands. */
  settle(request: Charged, cost: string | string[] | undefined): void;
  /** Nothing of the request reached the upstream: what its caller was charged goes back. */
  giveBack(request: Charged): void;
}

/** The part of a request that says what it was charged. */
export type Charged = Pick<FastifyRequest, 'decision' | 'reservation' | 'log'>;

type Outcome = Settlement['status'] | 'malformed';

export function charges(limiter: Pick<Limiter, 'refund' | 'settle'>, metrics: Registry): Charges {
  const settled = new Counter({ name: 'sluice_gateway_costs_total', help: 'Costs that the upstream named, by what came of them.', labelNames: ['outcome'], registers: [metrics] });

  function settleBy(id: string, cost: number): Promise<Outcome> {
    return limiter.settle(id, cost).then(({ status }) => status);
  }
  return {
    settle(request, cost) {
      const { reservation } = request;
      if (reservation === undefined || cost === undefined) return;
      request.reservation = undefined;
      const amount = typeof cost === 'string' && /^\d{1,15}$/.test(cost) ? Number(cost) : undefined;
      if (amount === undefined) {
        settled.inc({ outcome: 'malformed' });
        request.log.warn({ cost }, 'the upstream named a cost that is no whole number; the estimate stands');
        return;
      }
      settleBy(reservation, amount)
        .then((outcome) => settled.inc({ outcome }))
        .catch((error: unknown) => request.log.error({ err: error }, 'a cost was not settled'));
    },
    giveBack(request) {
      const { reservation, decision } = request;
      request.reservation = undefined;
      if (decision === undefined || !decision.allowed) return;
      const given: Promise<unknown> = reservation === undefined ? limiter.refund(decision) : settleBy(reservation, 0);
      given.catch((error: unknown) => request.log.error({ err: error }, 'a charge was not given back'));
    },
  };
}
