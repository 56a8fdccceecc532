import type { Outcome } from '@sluice/algorithms';
import type { Ask, AskEnd } from './counter-store.js';
import { RedisCall } from './redis-call.js';
import type { StoreFault } from './store-fault.js';

/** Takes what is granted after its time: it was given to nobody. */
export type LateGrant = (ask: Ask, outcome: Outcome) => void;

/** The call of one question: by far the most calls are, so that it makes no closures. */
export class AskCall extends RedisCall<Outcome> {
  constructor(
    private readonly ask: Ask,
    private readonly end: AskEnd,
    private readonly returnLate: LateGrant,
  ) {
    super();
  }

  answered(answer: Outcome | StoreFault): void {
    this.end.answered(answer);
  }

  protected override late(outcome: Outcome): void {
    this.returnLate(this.ask, outcome);
  }
}
