import type { Quota } from '@sluice/algorithms';
import type { RequestRecord } from '../world/request-record.js';
import { ExactFleet } from './exact-fleet.js';
import { leaseError } from './most-allowed.js';

/** What the exact algorithm says of the decisions that were taken. */
export interface Replay {
  /** Requests that were let pass although it would have refused them, had it seen the same admissions before (R23). */
  readonly overAdmitted: number;
  /** Requests refused from memory although it would have let them pass for longer than a round trip (R24). */
  readonly falselyRefused: number;
}

/** A node cannot know sooner what changed at the store: the longest round trip, in whole ms. */
const ROUND_TRIP_MS = 2;

/**
 * Feeds the exact algorithm with what was let pass, in order, and asks it about each: if it never says no, then no trailing
 * window holds more than it admits, whatever came. Of an algorithm that drains, the error of a lease is allowed for.
 */
export function replay(requests: readonly RequestRecord[], quota: Quota, storeMs: (virtualMs: number) => number): Replay {
  const decided = requests.filter(({ decidedAtMs }) => !Number.isNaN(decidedAtMs)).sort((a, b) => a.decidedAtMs - b.decidedAtMs);
  const fleet = new ExactFleet({ ...quota, burst: quota.burst + leaseError(quota) });
  let overAdmitted = 0;
  let falselyRefused = 0;
  for (const { key, allowed, local, decidedAtMs } of decided) {
    if (allowed && !fleet.admits(key, storeMs(decidedAtMs))) overAdmitted += 1;
    if (!allowed && local && fleet.wouldAdmit(key, storeMs(decidedAtMs - ROUND_TRIP_MS))) falselyRefused += 1;
  }
  return { overAdmitted, falselyRefused };
}
