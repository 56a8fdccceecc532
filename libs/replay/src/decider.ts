import { capacityOf, NEVER } from '@sluice/algorithms';
import type { AppliedRule, RequestAttributes } from '@sluice/rules';
import type { Counter } from './counter.js';
import type { RuleLane } from './rule-lane.js';

/** One limit of a request, and where its counter stands. */
export interface Limit {
  readonly applied: AppliedRule;
  readonly lane: RuleLane;
  /** Another one for each request, where the limit is that of a kind of requests. */
  counter: Counter;
}

/** What the limits of one request say together. */
export interface Decided {
  readonly admitted: number;
  /** Limits that refuse the others. */
  readonly denying: readonly Limit[];
  /** The one that the engine would name; undefined when all are admitted. */
  readonly deciding: Limit | undefined;
}

const NONE: readonly Limit[] = [];
const ALL_OF_ONE: Decided = { admitted: 1, denying: NONE, deciding: undefined };

export function limitOf(applied: AppliedRule, lane: RuleLane, attributes: RequestAttributes, atMs: number): Limit {
  return { applied, lane, counter: lane.counters.find(attributes, applied.quota, atMs) };
}

/**
 * Decides `weight` equal requests that come at once, as the engine does it with every limit exact: all limits admit or nothing is charged, but for the
 * denials of rules that charge them (R7, R8).
 */
export function decideTogether(limits: readonly Limit[], cost: number, weight: number, atMs: number): Decided {
  if (cost === 0) return read(limits, weight, atMs);
  const [only] = limits;
  if (only === undefined) return weight === 1 ? ALL_OF_ONE : { admitted: weight, denying: NONE, deciding: undefined };
  // By number: on the path of every request.
  for (let at = 0; at < limits.length; at += 1) if (cost > capacityOf(limits[at]?.applied.quota ?? only.applied.quota)) return decideNever(limits, cost);
  return weight === 1 && limits.length === 1 ? decideOne(only, cost, atMs) : decideSeveral(limits, cost, weight, atMs);
}

function decideNever(limits: readonly Limit[], cost: number): Decided {
  const denying = limits.filter(({ applied }) => cost > capacityOf(applied.quota));
  return { admitted: 0, denying, deciding: denying[0] };
}

function decideOne(limit: Limit, cost: number, atMs: number): Decided {
  return take(limit, cost, atMs) ? ALL_OF_ONE : { admitted: 0, denying: [limit], deciding: limit };
}

function decideSeveral(limits: readonly Limit[], cost: number, weight: number, atMs: number): Decided {
  let admitted = weight;
  for (let at = 0; at < limits.length; at += 1) {
    const limit = limits[at];
    if (limit !== undefined) admitted = Math.min(admitted, roomOf(limit, cost, atMs));
  }
  const denying = admitted === weight ? NONE : limits.filter((limit) => roomOf(limit, cost, atMs) === admitted);
  if (admitted > 0) {
    for (let at = 0; at < limits.length; at += 1) {
      const limit = limits[at];
      if (limit !== undefined) take(limit, admitted * cost, atMs);
    }
  }
  if (admitted === weight) return weight === 1 ? ALL_OF_ONE : { admitted, denying, deciding: undefined };
  for (const limit of denying) if (limit.applied.quota.chargeDenied) chargeDenials(limit, cost, weight - admitted, atMs);
  return { admitted, denying, deciding: decidingOf(denying, cost, atMs) };
}

/** Requests of that cost that fit. */
function roomOf({ applied, lane, counter }: Limit, cost: number, atMs: number): number {
  return Math.floor(lane.gauge.remaining(counter, applied.quota, atMs) / cost);
}

function chargeDenials({ applied, lane, counter }: Limit, cost: number, denials: number, atMs: number): void {
  for (let left = denials; left > 0; left -= 1) if (!lane.gauge.chargeDenial(counter, applied.quota, cost, atMs)) return;
}

/** The one that denies for the longest, the first of equal ones. */
function decidingOf(denying: readonly Limit[], cost: number, atMs: number): Limit | undefined {
  let [deciding] = denying;
  if (denying.length < 2) return deciding;
  let longestMs = -1;
  for (const limit of denying) {
    const retryMs = retryMsOf(limit, cost, atMs);
    if (retryMs === NEVER) return limit;
    if (retryMs > longestMs) {
      longestMs = retryMs;
      deciding = limit;
    }
  }
  return deciding;
}

/** Cost 0 is allowed unless a counter is beyond its limit, and changes nothing (R9). */
function read(limits: readonly Limit[], weight: number, atMs: number): Decided {
  const denying = limits.filter((limit) => retryMsOf(limit, 0, atMs) !== 0);
  if (denying.length === 0) return { admitted: weight, denying, deciding: undefined };
  return { admitted: 0, denying, deciding: decidingOf(denying, 0, atMs) };
}

function retryMsOf({ applied, lane, counter }: Limit, cost: number, atMs: number): number {
  return lane.gauge.retryMs(counter, applied.quota, cost, atMs);
}

function take({ applied, lane, counter }: Limit, permits: number, atMs: number): boolean {
  return lane.gauge.take(counter, applied.quota, permits, atMs);
}
