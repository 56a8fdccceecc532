import type { DecisionEvent } from '@sluice/events';
import { clockOf, dayOf, plain } from './words.js';

/** `On 31 January 2026 at 14:02:07 UTC, a request to GET /v1/items with your API key key_3f2a` */
export function requestWords({ at_ms: atMs, attributes }: DecisionEvent): string {
  const endpoint = plain(attributes['endpoint'] ?? '');
  return `On ${dayOf(atMs)} at ${clockOf(atMs)}, a request${endpoint === '' ? '' : ` to ${endpoint}`}${callerWords(attributes)}`;
}

/** The most telling thing that is known of who called. */
export function callerWords(attributes: Readonly<Record<string, string>>): string {
  const told = [
    ['with your API key', attributes['key_id']],
    ['of your account', attributes['tenant_id']],
    ['of your user', attributes['user_id']],
    ['from the address', attributes['ip']],
  ] as const;
  const [words, value] = told.find(([, known]) => plain(known ?? '') !== '') ?? [];
  return words === undefined ? '' : ` ${words} ${plain(value ?? '')}`;
}
