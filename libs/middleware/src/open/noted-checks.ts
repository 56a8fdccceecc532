import type { DecisionStream } from '@sluice/decision-stream';
import type { Decision } from '@sluice/limiter';
import type { RequestAttributes } from '@sluice/rules';
import type { Decider } from '../decider.js';

type Charging = Pick<Decider, 'check' | 'reserve'>;

/** The same checks, told to a stream. One that is decided at once makes no promise; what only looks (cost 0) decides nothing. */
export function notedChecks({ check, reserve }: Charging, stream: Pick<DecisionStream, 'note'>): Charging {
  function noted(decision: Decision, attributes: RequestAttributes): Decision {
    if (decision.cost > 0) stream.note(decision, attributes);
    return decision;
  }
  return {
    check(attributes, cost) {
      const decision = check(attributes, cost);
      return decision instanceof Promise ? decision.then((late) => noted(late, attributes)) : noted(decision, attributes);
    },
    async reserve(attributes, estimate, options) {
      const reservation = await reserve(attributes, estimate, options);
      noted(reservation.decision, attributes);
      return reservation;
    },
  };
}
