import type { RuleQuota } from '../../control-plane/rule-text.js';
import type { LimitFacts } from './facts.js';
import { countOf, listOf, numberOf, perWindow } from './words.js';

const UNITS = { hour: 'hour', day: 'day', week: 'week', month: 'calendar month', year: 'calendar year' } as const;

/** Whom a limit counts apart, for those attributes that a customer knows. */
const SCOPES: Readonly<Record<string, string>> = { tenant_id: 'for your whole account', user_id: 'for each user', ip: 'for each address', endpoint: 'for each endpoint', key_id: 'for each API key' };

/** `60 requests per minute`, `10,000 requests per calendar month (Europe/Berlin)` */
export function rateWords(limit: number, windowMs: number, quota?: RuleQuota): string {
  const { calendar } = quota ?? {};
  return `${countOf(limit)} ${calendar === undefined ? perWindow(windowMs) : `per ${UNITS[calendar.unit]} (${calendar.timeZone})`}`;
}

/** `60 requests per minute for each address` as a customer can check it: how much, and what is counted together. */
export function limitWords({ limit, text }: LimitFacts): string {
  return [rateWords(limit.limit, limit.window_ms, text?.quota), scopeWords(text?.rule?.count_by)].filter((part) => part !== '').join(' ');
}

/** How much may come at once, where that is another number than the limit; for sentences in brackets. Empty where it is not, or nobody knows. */
export function burstWords({ limit, text, override }: LimitFacts): string {
  const { quota } = text ?? {};
  if (quota === undefined || quota.burst === quota.limit) return '';
  if (limit.override_id === null) return ` (at most ${numberOf(quota.burst)} at once)`;
  const burst = override?.then?.burst;
  return burst === undefined ? '' : ` (at most ${numberOf(burst)} at once)`;
}

function scopeWords(countBy: readonly string[] | undefined): string {
  if (countBy === undefined || (countBy.length === 1 && countBy[0] === 'key_id')) return '';
  return listOf(countBy.flatMap((name) => SCOPES[name] ?? []));
}
