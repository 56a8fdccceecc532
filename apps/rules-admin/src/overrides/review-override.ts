import { type Override, overrideFault } from '@sluice/rules';
import type { FieldFault } from '@sluice/platform';
import type { EntityManager } from 'typeorm';
import { KEYS, PROPOSALS, TENANTS } from '../database/tables.js';
import { overrideRemarks } from './override-remarks.js';
import { neighbourRemarks } from './neighbour-remarks.js';
import { findTarget } from './override-target.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/** How far ahead an override may expire: "for ever" is a rule, or a plan. */
const MAX_DAYS_AHEAD = 366;

/** Whether an override may be published, and what is odd about it. */
export interface OverrideReview {
  readonly faults: readonly FieldFault[];
  readonly remarks: readonly string[];
}

/**
 * Checks a well-formed override against what is stored, under the version lock: key and rule are there, the rule and its proposed version would take it, and it expires in time by the
 * clock of the database.
 *
 * @param isExpiryNew false where the expiry was there before and stays: it may be over
 */
export async function reviewOverride(manager: EntityManager, override: Override, isExpiryNew: boolean): Promise<OverrideReview> {
  const faults: FieldFault[] = [];
  const key = await KEYS.find(manager, override.key_id);
  const target = await findTarget(manager, override.rule_id);
  if (key === null) faults.push({ pointer: '/key_id', detail: `names the unknown key ${override.key_id}` });
  // A plan's default limit has none.
  const proposal = await PROPOSALS.find(manager, override.rule_id);
  const misfit = overrideFault(override, target, '', proposal?.definition);
  if (misfit !== undefined) faults.push(misfit);
  if (isExpiryNew) faults.push(...expiryFaults(Date.parse(override.expires_at), await databaseNowMs(manager)));
  if (faults.length > 0 || key === null || target === undefined) return { faults, remarks: [] };
  const tenant = await TENANTS.find(manager, key.tenantId);
  const keyPlan = tenant?.planId ?? '';
  return { faults, remarks: [...overrideRemarks(target, keyPlan), ...(await neighbourRemarks(manager, override, target, keyPlan))] };
}

function expiryFaults(expiresAtMs: number, nowMs: number): readonly FieldFault[] {
  const pointer = '/expires_at';
  if (expiresAtMs <= nowMs) return [{ pointer, detail: `must be in the future; it is ${new Date(nowMs).toISOString()} now` }];
  if (expiresAtMs > nowMs + MAX_DAYS_AHEAD * DAY_MS) return [{ pointer, detail: `must be at most ${MAX_DAYS_AHEAD} days ahead; it is ${new Date(nowMs).toISOString()} now` }];
  return [];
}

async function databaseNowMs(manager: EntityManager): Promise<number> {
  const [row] = await manager.query<{ now: Date }[]>('SELECT clock_timestamp() AS now');
  if (row === undefined) throw new Error('The database has no clock.');
  return row.now.getTime();
}
