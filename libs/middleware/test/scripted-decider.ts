import type { Decision } from '@sluice/limiter';
import type { RequestAttributes } from '@sluice/rules';
import type { AskedDecider, CheckOptions } from '../src/decider.js';
import { decisionOver, policyOutcome } from './decision-fixture.js';

export interface SeenCheck {
  readonly attributes: RequestAttributes;
  readonly cost: number | undefined;
  readonly options: CheckOptions | undefined;
}

export const allowed = decisionOver([policyOutcome()]);

/** Answers the next of the given decisions, the last one over and over, and keeps what it was asked. An error is thrown. */
export interface ScriptedDecider extends AskedDecider {
  readonly calls: SeenCheck[];
  readonly refunded: Decision[];
}

export function scriptedDecider(...answers: (Decision | Promise<Decision> | Error)[]): ScriptedDecider {
  const calls: SeenCheck[] = [];
  const refunded: Decision[] = [];
  return {
    calls,
    refunded,
    check(attributes, cost, options) {
      calls.push({ attributes, cost, options });
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      if (answer instanceof Error) throw answer;
      return answer ?? allowed;
    },
    async refund(decision) {
      refunded.push(decision);
      return decision.cost;
    },
  };
}
