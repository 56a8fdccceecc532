import { capacityOf, NEVER } from '@sluice/algorithms';
import type { AppliedRule, RequestAttributes } from '@sluice/rules';
import type { Counter } from './counter.js';
import type { RuleLane } from './rule-lane.js';

/** One limit of a request, and where its counter stands. */
export interface Limit {
  readonly applied: AppliedRule;
  readonly lane: RuleLane;
  readonly counter: Counter;
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
 * denials of rules that charge them (R7, R8). The algorithms are the engine's own.
 */
export function decideTogether(limits: readonly Limit[], cost: number, weight: number, atMs: number): Decided {
  if (cost === 0) return read(limits, weight, atMs);
  const [only] = limits;
  if (only === undefined) return weight === 1 ? ALL_OF_ONE : { admitted: weight, denying: NONE, deciding: undefined };
  const never = limits.find(({ applied }) => cost > capacityOf(applied.quota));
  if (never !== undefined) return { admitted: 0, denying: limits.filter(({ applied }) => cost > capacityOf(applied.quota)), deciding: never };
  return weight === 1 && limits.length === 1 ? decideOne(only, cost, atMs) : decideSeveral(limits, cost, weight, atMs);
}

function decideOne(limit: Limit, cost: number, atMs: number): Decided {
  return take(limit, cost, atMs).granted > 0 ? ALL_OF_ONE : { admitted: 0, denying: [limit], deciding: limit };
}

function decideSeveral(limits: readonly Limit[], cost: number, weight: number, atMs: number): Decided {
  const rooms = limits.map((limit) => Math.floor(peek(limit, cost, atMs).remaining / cost));
  const admitted = Math.min(weight, ...rooms);
  if (admitted > 0) for (const limit of limits) take(limit, admitted * cost, atMs);
  if (admitted === weight) return weight === 1 ? ALL_OF_ONE : { admitted, denying: NONE, deciding: undefined };
  const denying = limits.filter((_limit, at) => rooms[at] === admitted);
  for (const limit of denying) if (limit.applied.quota.chargeDenied) chargeDenials(limit, cost, weight - admitted, atMs);
  return { admitted, denying, deciding: decidingOf(denying, cost, atMs) };
}

function chargeDenials(limit: Limit, cost: number, denials: number, atMs: number): void {
  for (let left = denials; left > 0; left -= 1) {
    const before = limit.counter.state;
    take(limit, cost, atMs);
    if (limit.counter.state === before) return;
  }
}

/** The one that denies for the longest, the first of equal ones. */
function decidingOf(denying: readonly Limit[], cost: number, atMs: number): Limit | undefined {
  let [deciding] = denying;
  if (denying.length < 2) return deciding;
  let longestMs = -1;
  for (const limit of denying) {
    const { retryMs } = peek(limit, cost, atMs);
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
  const denying = limits.filter((limit) => peek(limit, 0, atMs).retryMs !== 0);
  if (denying.length === 0) return { admitted: weight, denying, deciding: undefined };
  return { admitted: 0, denying, deciding: decidingOf(denying, 0, atMs) };
}

function peek({ applied, lane, counter }: Limit, cost: number, atMs: number): ReturnType<RuleLane['algorithm']['peek']> {
  return lane.algorithm.peek(counter.state, applied.quota, cost, atMs);
}

function take({ applied, lane, counter }: Limit, permits: number, atMs: number): ReturnType<RuleLane['algorithm']['peek']> {
  const { outcome, state } = lane.algorithm.take(counter.state, applied.quota, permits, permits, atMs);
  counter.state = state;
  return outcome;
}
