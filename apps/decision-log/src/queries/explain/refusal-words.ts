import type { DecisionEvent } from '@sluice/events';
import type { LimitFacts } from './facts.js';
import { burstOf, burstWords, limitWords } from './limit-words.js';
import { countOf, listOf, numberOf } from './words.js';

/** Why a request was refused, after "was refused because": one clause, and what else the customer has to know of it, in sentences. */
export interface RefusalWords {
  readonly because: string;
  readonly besides: readonly string[];
}

/** @param limits of the decision, the deciding one first */
export function refusalWords({ reason, cost, source }: DecisionEvent, limits: readonly LimitFacts[]): RefusalWords {
  const [deciding] = limits;
  if (reason === 'store_unavailable') return storeAway(deciding);
  if (deciding === undefined) return { because: 'a limit was used up', besides: [] };
  if (reason === 'cost_exceeds_limit') return tooLarge(cost, deciding);
  const others = limits.slice(1).filter(({ limit }) => !limit.allowed);
  const besides = [
    ...(others.length === 0 ? [] : [`${capital(listOf(others.map(theLimit)))} would not have let it through either.`]),
    ...(source === 'fallback' || others.some(({ limit }) => limit.source === 'fallback') ? [FALLBACK] : []),
  ];
  // A reason that a later node knows, and this service does not.
  return { because: reason === 'quota' ? usedUp(cost, deciding) : `${theLimit(deciding)} did not let it through`, besides };
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

const FALLBACK =
  'At that moment our servers could not put their counts together, so each of them admitted no more than its part of the limit: the request may have been refused although the limit was not used up.';

function usedUp(cost: number, deciding: LimitFacts): string {
  const { limit, text } = deciding;
  if (text?.quota?.shape === true) {
    const waiting = burstOf(deciding);
    const many = waiting === undefined ? 'as many as may were waiting for their turn already' : `${numberOf(waiting)} ${waiting === 1 ? 'was' : 'were'} waiting for ${waiting === 1 ? 'its' : 'their'} turn already, which is as many as may`;
    return `requests are let through at an even pace of ${limitWords(deciding)}, and ${many}`;
  }
  if (cost > 1) return `it counts as ${countOf(cost)}, and of ${theLimit(deciding)} only ${numberOf(Math.min(limit.remaining, cost - 1))} ${limit.remaining === 1 ? 'was' : 'were'} left`;
  return `${theLimit(deciding)} was used up`;
}

function tooLarge(cost: number, deciding: LimitFacts): RefusalWords {
  return {
    because: `it counts as ${countOf(cost)}, which is more than ${theLimit(deciding)} ever lets through at once`,
    besides: ['Waiting does not help; a smaller request can pass.'],
  };
}

function storeAway(deciding: LimitFacts | undefined): RefusalWords {
  return {
    because: `it could not be counted at that moment${deciding === undefined ? '' : `, and under ${theLimit(deciding)} no request is let through uncounted`}`,
    besides: ['This was a disturbance on our side, and not caused by how many requests you sent.'],
  };
}

/** `the limit of 60 requests per minute`, `the temporary limit of …` */
export function theLimit(facts: LimitFacts): string {
  const kind = facts.limit.override_id === null ? 'limit' : 'temporary limit';
  return `the ${kind} of ${limitWords(facts)}${burstWords(facts)}`;
}
