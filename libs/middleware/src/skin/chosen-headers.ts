import type { Decision } from '@sluice/limiter';
import { rateLimitHeaders } from '../rate-limit-headers.js';
import { isUnreached } from '../remote/unreached-decision.js';

export const HEADER_CHOICES = ['both', 'ietf', 'legacy', 'none'] as const;
/** `ietf`: `RateLimit` and `RateLimit-Policy`; `legacy`: `X-RateLimit-*`. */
export type HeaderChoice = (typeof HEADER_CHOICES)[number];

const NOTHING: Readonly<Record<string, string>> = Object.freeze({});

/** The fields of an answer, as far as they are wanted; those that a refusal needs are always among them. */
export function chosenHeaders(decision: Decision, choice: HeaderChoice): Readonly<Record<string, string>> {
  if (isUnreached(decision)) return decision.allowed ? NOTHING : fieldsOf(decision, 'none');
  if (choice === 'both') return rateLimitHeaders(decision);
  if (choice === 'none' && decision.allowed) return NOTHING;
  return fieldsOf(decision, choice);
}

function fieldsOf(decision: Decision, choice: HeaderChoice): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(rateLimitHeaders(decision)).filter(([name]) => isChosen(name, choice)));
}

function isChosen(name: string, choice: HeaderChoice): boolean {
  if (name.startsWith('X-RateLimit-')) return choice === 'legacy';
  if (name.startsWith('RateLimit')) return choice === 'ietf';
  return true;
}
