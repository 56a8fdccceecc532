import type { Facts } from './facts.js';
import { limitWords } from './limit-words.js';
import { refusalWords, theLimit } from './refusal-words.js';
import { requestWords } from './request-words.js';
import { sinceWords } from './since-words.js';
import { toldOf } from './told.js';
import { numberOf, spanOf, timeOf } from './words.js';

/** What happened, in plain English that a support person can send on to the customer: no name of a node, a rule or a place inside Sluice. */
export function sentenceOf(facts: Facts): string {
  const { event } = facts;
  const parts = event.kind === 'unauthenticated' ? unauthenticated(facts) : event.kind === 'shadow' ? shadow(facts) : event.allowed ? passed(facts) : refused(facts);
  return parts.join(' ');
}

function refused(facts: Facts): readonly string[] {
  const { event, limits } = facts;
  const { because, besides } = refusalWords(event, limits);
  const told = toldOf(event);
  const wait =
    told?.retryAfterSeconds === undefined || told.retryAtMs === undefined
      ? ''
      : `; the answer said to wait ${spanOf(told.retryAfterSeconds)}, until ${timeOf(told.retryAtMs, event.at_ms)}`;
  return [`${requestWords(event)} was refused because ${because}${wait}.`, ...besides, ...sinceWords(facts)];
}

function passed({ event, limits }: Facts): readonly string[] {
  const [deciding] = limits;
  if (deciding === undefined) return [`${requestWords(event)} was not refused: no limit applied to it.`];
  return [`${requestWords(event)} was not refused: after it, ${numberOf(deciding.limit.remaining)} of ${theLimit(deciding)} were left.`];
}

function shadow({ event, limits: [tried] }: Facts): readonly string[] {
  const limit = tried === undefined ? '' : ` of ${limitWords(tried)}`;
  return [`${requestWords(event)} was not refused by this. A limit${limit} is being tried out; had it been in force, it would have refused the request.`];
}

function unauthenticated({ event }: Facts): readonly string[] {
  const why = event.reason === 'no_credentials' ? 'it carried no API key' : 'the API key that it carried is not known to us, or no longer valid';
  return [`${requestWords(event)} was refused because ${why}. No limit had to do with it.`];
}
