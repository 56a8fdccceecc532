import { NEVER } from '@sluice/algorithms';
import type { AppliedRule, RequestAttributes } from '@sluice/rules';
import type { Clock } from './clock.js';
import type { DecisionSource, PolicyOutcome } from './decision.js';
import type { Fallback } from './fallback.js';
import type { Leases } from './lease/leases.js';
import { storeAway } from './outcomes.js';
import { SettledOutcome } from './settled-outcome.js';
import { combinedAnswer } from './split/combined-answer.js';
import type { Answer } from './store/counter-store.js';
import { StoreFault } from './store/store-fault.js';
import type { Dispatcher } from './trip/dispatcher.js';

export interface ReadingsParts {
  readonly clock: Clock;
  readonly leases: Pick<Leases, 'find'>;
  readonly dispatcher: Pick<Dispatcher, 'read'>;
  readonly fallback: Fallback;
}

/** What counters say, with nothing changed (R9, R71). */
export class Readings {
  constructor(private readonly parts: ReadingsParts) {}

  /** Peeks at every counter in one trip. Permits that this node holds are the caller's to spend, so they count as remaining. */
  async of(applied: readonly AppliedRule[], attributes: RequestAttributes, cost: number): Promise<readonly PolicyOutcome[]> {
    const nowMs = this.parts.clock.nowMs();
    const found = applied.map((one) => ({ one, counter: this.parts.leases.find(one, attributes, nowMs) }));
    const answers = await this.parts.dispatcher.read(
      found.flatMap(({ counter }) => counter.parts.map(({ key, quota }) => ({ key, quota, need: cost, want: 0, backAmount: 0, backBucket: 0 }))),
    );
    let next = 0;
    return found.map(({ one, counter: { key, capacity, parts } }) => {
      const answer = combinedAnswer(parts, answers.slice(next, (next += parts.length)), cost);
      // While the store is away a rule that allows is read where it is decided: in the fallback (R41).
      const isAway = answer instanceof StoreFault && one.rule.onStoreFailure === 'allow';
      return isAway ? readOutcome(one, this.parts.fallback.peek(key, one.quota, cost), cost, cost > capacity, 'fallback') : readOutcome(one, answer, cost, cost > capacity, 'store');
    });
  }
}

function readOutcome(one: AppliedRule, answer: Answer, cost: number, never: boolean, source: DecisionSource): PolicyOutcome {
  if (answer instanceof StoreFault) return storeAway(one);
  const { remaining, resetMs, retryMs } = answer;
  if (never) return new SettledOutcome(one, remaining, resetMs, 'cost_exceeds_limit', source, NEVER, undefined);
  // Of a cost of 0 the wait alone tells that the counter is beyond its limit, by debt or since that was lowered.
  if (remaining >= cost && (cost > 0 || retryMs === 0)) return new SettledOutcome(one, remaining, resetMs, 'ok', source, 0, undefined);
  return new SettledOutcome(one, remaining, resetMs, 'quota', source, Math.max(1, retryMs), undefined);
}
