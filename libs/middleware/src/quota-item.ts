import type { PolicyOutcome } from '@sluice/limiter';
import { sfInteger, sfString } from './structured-fields.js';

/** What the fields say of a policy whatever has been used of it. */
export interface QuotaItem {
  /** Its name as a String of a structured field. */
  readonly name: string;
  /** Its item in `RateLimit-Policy`. */
  readonly quota: string;
}

interface Written extends QuotaItem {
  readonly policy: string;
  readonly limit: number;
  readonly windowMs: number;
}

/** More than there are rules, so that it is emptied only where overrides come and go for long. */
const MOST_KEPT = 20_000;
const kept = new Map<string, Written>();

/**
 * Written once for each rule, and for each override of one, until its numbers change. The kept text is only taken when it says what the
 * outcome says: two nodes of one process may have other rules under the same id.
 */
export function quotaItem(outcome: PolicyOutcome): QuotaItem {
  const id = outcome.overrideId ?? outcome.ruleId;
  const known = kept.get(id);
  const { policy, limit, windowMs } = outcome;
  if (known !== undefined && known.policy === policy && known.limit === limit && known.windowMs === windowMs) return known;
  const name = sfString(policy);
  const written = { name, quota: `${name};q=${sfInteger(limit)};w=${sfInteger(windowMs / 1000, 1)}`, policy, limit, windowMs };
  if (kept.size >= MOST_KEPT) kept.clear();
  kept.set(id, written);
  return written;
}
