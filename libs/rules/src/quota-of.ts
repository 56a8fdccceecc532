import type { Quota } from '@sluice/algorithms';
import { hasBurst } from './read-quota.js';
import { RULE_DEFAULTS } from './rule-defaults.js';
import type { Override, QuotaJson } from './rule.js';

/** The quota that the algorithms read, with the defaults filled in. Expects a validated one. */
export function quotaOf(json: QuotaJson): Quota {
  const algorithm = json.algorithm ?? RULE_DEFAULTS.algorithm;
  const quota: Quota = {
    algorithm,
    limit: json.limit,
    windowMs: Math.round(json.window_seconds * 1000),
    burst: hasBurst(algorithm) ? (json.burst ?? json.limit) : json.limit,
    subBuckets: json.sub_buckets ?? RULE_DEFAULTS.sub_buckets,
    shape: json.shape ?? RULE_DEFAULTS.shape,
    chargeDenied: json.charge_denied ?? RULE_DEFAULTS.charge_denied,
  };
  const { calendar } = json;
  return calendar === undefined ? quota : { ...quota, calendar: { unit: calendar.unit, timeZone: calendar.time_zone } };
}

/** The quota of a rule for a key with an override: its limit, and its burst or the rule's in proportion, rounded down, at least 1. */
export function overriddenQuota(quota: Quota, { limit, burst }: Pick<Override, 'limit' | 'burst'>): Quota {
  if (!hasBurst(quota.algorithm)) return { ...quota, limit, burst: limit };
  return { ...quota, limit, burst: burst ?? scaled(quota.burst, limit, quota.limit) };
}

/** floor(burst x to / from) between 1 and 2^53-1, exact also where the product leaves 2^53. */
function scaled(burst: number, to: number, from: number): number {
  const exact = (BigInt(burst) * BigInt(to)) / BigInt(from);
  return exact > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Math.max(1, Number(exact));
}
