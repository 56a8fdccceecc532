import type { Decision, Limiter, Reservation } from '@sluice/limiter';
import type { RequestAttributes } from '@sluice/rules';
import type { ObserveDecision } from '@sluice/rules-node';
import { answerText } from './answer-text.js';
import type { CheckRequest } from './check-request.js';

/** What decides, and who is told of it. */
export interface DecideParts {
  readonly limiter: Pick<Limiter, 'check' | 'peek' | 'reserve'>;
  readonly observe: ObserveDecision;
}

/** A decision and the JSON of its answer. */
export interface Decided {
  readonly decision: Decision;
  readonly text: string;
}

/** Decides one check; at once where every permit is at hand. Peeks are not observed: they decide nothing. */
export function decide({ limiter, observe }: DecideParts, { kind, attributes, cost, ttlMs }: CheckRequest): Decided | Promise<Decided> {
  if (kind === 'peek') return limiter.peek(attributes, cost).then((decision) => ({ decision, text: answerText(decision) }));
  const startedMs = performance.now();
  if (kind === 'reserve') return limiter.reserve(attributes, cost, { ttlMs }).then((reservation) => reserved(observe, reservation, startedMs, attributes));
  const decision = limiter.check(attributes, cost);
  return decision instanceof Promise ? decision.then((late) => checked(observe, late, startedMs, attributes)) : checked(observe, decision, startedMs, attributes);
}

function checked(observe: ObserveDecision, decision: Decision, startedMs: number, attributes: RequestAttributes): Decided {
  observe(decision, (performance.now() - startedMs) / 1000, attributes);
  return { decision, text: answerText(decision) };
}

function reserved(observe: ObserveDecision, reservation: Reservation, startedMs: number, attributes: RequestAttributes): Decided {
  observe(reservation.decision, (performance.now() - startedMs) / 1000, attributes);
  return { decision: reservation.decision, text: answerText(reservation.decision, reservation) };
}
