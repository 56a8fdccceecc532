import { overriddenQuota } from '@sluice/rules';
import type { RuleQuota } from '../../control-plane/rule-text.js';
import type { LimitFacts } from './facts.js';
import { countOf, listOf, numberOf, perWindow } from './words.js';

const UNITS = { hour: 'hour', day: 'day', week: 'week', month: 'calendar month', year: 'calendar year' } as const;

/** What goes without saying, but where it was another scope before. */
export const EACH_KEY = 'for each API key';

/** Whom a limit counts apart, for those attributes that a customer knows. */
const SCOPES: Readonly<Record<string, string>> = { tenant_id: 'for your whole account', user_id: 'for each user', ip: 'for each address', endpoint: 'for each endpoint', key_id: EACH_KEY };

/** `60 requests per minute`, `10,000 requests per calendar month (Europe/Berlin)` */
export function rateWords(limit: number, windowMs: number, quota?: RuleQuota): string {
  const { calendar } = quota ?? {};
  return `${countOf(limit)} ${calendar === undefined ? perWindow(windowMs) : `per ${UNITS[calendar.unit]} (${calendar.timeZone})`}`;
}

/** `60 requests per minute for each address` as a customer can check it: how much, and what is counted together. */
export function limitWords({ limit, text }: Pick<LimitFacts, 'limit' | 'text'>): string {
  return [rateWords(limit.limit, limit.window_ms, text?.quota), scopeWords(text?.rule?.count_by)].filter((part) => part !== '').join(' ');
}

/** How much may come at once, where that is another number than the limit; for sentences in brackets. Empty where it is not, or nobody knows. */
export function burstWords({ limit, text, override }: LimitFacts): string {
  const { quota } = text ?? {};
  if (quota === undefined || quota.burst === quota.limit) return '';
  const burst = burstOf({ limit, text, override });
  return burst === undefined ? '' : ` (at most ${numberOf(burst)} at once)`;
}

/** How much could come at once: by the rule, or by the override that decided; undefined where nobody knows. */
export function burstOf({ limit, text, override }: Pick<LimitFacts, 'limit' | 'text' | 'override'>): number | undefined {
  const quota = text?.quota;
  if (quota === undefined || limit.override_id === null) return quota?.burst;
  return override?.then === undefined ? undefined : overriddenQuota(quota, { limit: limit.limit, ...(override.then.burst === undefined ? {} : { burst: override.then.burst }) }).burst;
}

/** What is counted together, where that is not each key. */
export function scopeWords(countBy: readonly string[] | undefined): string {
  if (countBy === undefined || (countBy.length === 1 && countBy[0] === 'key_id')) return '';
  return listOf(countBy.flatMap((name) => SCOPES[name] ?? []));
}
