import type { Outcome, Quota } from '@sluice/algorithms';
import { counterPlace } from '../keys/counter-place.js';
import type { ScriptCommand } from '../script-command.js';
import { counterSlots } from './counter-slots.js';
import { decodeOutcome } from './decode-outcome.js';
import { missedCalendarMs } from './missed-calendar.js';
import { headOf, quotaArgs, takeArgs, type QuotaArgs } from './quota-args.js';
import { requireInteger } from './require-integer.js';
import { SharedTake } from './shared-take.js';

/** Permits of an old lease that were not spent, with the bucket that they were charged to. */
export interface GiveBack {
  readonly amount: number;
  readonly bucket: number;
}

export interface TakeOptions {
  /** Returned in the same trip, before the take; what comes too late for its bucket is dropped (R23). */
  readonly giveBack?: GiveBack | undefined;
  /** For tests: decides at this time, in ms, instead of the store's (R6). */
  readonly nowMs?: number | undefined;
}

/**
 * Takes `need` to `want` permits from one counter: granted is 0, or between the two (R21). Throws a RangeError unless
 * `1 <= need <= want`, both integers (known failure 13).
 */
export function takeCommand(key: string, quota: Quota, need: number, want: number, options: TakeOptions = {}): ScriptCommand<Outcome> {
  requireInteger('need', need, 1);
  requireInteger('want', want, need);
  return command(key, quota, need, want, options);
}

/** What a take of `cost` would answer; writes nothing, not even a TTL. Cost 0 asks for the reading alone (R9). */
export function peekCommand(key: string, quota: Quota, cost: number, options: TakeOptions = {}): ScriptCommand<Outcome> {
  requireInteger('cost', cost, 0);
  return command(key, quota, cost, 0, options);
}

function command(key: string, quota: Quota, need: number, want: number, { giveBack, nowMs }: TakeOptions): ScriptCommand<Outcome> {
  const compiled = quotaArgs(quota);
  const shared = giveBack === undefined && nowMs === undefined ? takeArgs(compiled, need, want) : undefined;
  if (shared !== undefined) {
    if (quota.algorithm === 'sliding_log') return new SharedTake(compiled.take, key, undefined, shared);
    const { group, field } = counterPlace(key);
    return new SharedTake(compiled.take, group, field, shared);
  }
  const rest = [String(need), String(want), compiled.chargeDenied];
  if (giveBack !== undefined) {
    requireInteger('giveBack.amount', giveBack.amount, 0);
    requireInteger('giveBack.bucket', giveBack.bucket, 0);
    rest.push(String(giveBack.amount), String(giveBack.bucket));
  }
  if (nowMs !== undefined) {
    requireInteger('nowMs', nowMs, 0);
    if (giveBack === undefined) rest.push('', '');
    rest.push(String(nowMs));
  }
  const first = send(key, compiled, rest, nowMs);
  if (quota.calendar === undefined) return first;
  return {
    ...first,
    again(reply) {
      const storeMs = missedCalendarMs(reply);
      return storeMs === undefined ? undefined : send(key, compiled, rest, storeMs);
    },
  };
}

function send(key: string, compiled: QuotaArgs, rest: readonly string[], nowMs: number | undefined): ScriptCommand<Outcome> {
  const { keys, field } = counterSlots(key, compiled.quota);
  return { script: compiled.take, keys, args: field.concat(headOf(compiled, nowMs), rest), decode: decodeOutcome };
}
