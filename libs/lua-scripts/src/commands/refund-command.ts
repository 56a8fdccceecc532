import type { Quota } from '@sluice/algorithms';
import { ScriptReplyError, type ScriptCommand } from '../script-command.js';
import { counterSlots } from './counter-slots.js';
import { missedCalendarMs } from './missed-calendar.js';
import { headOf, quotaArgs } from './quota-args.js';
import { requireInteger } from './require-integer.js';
import type { GiveBack } from './take-command.js';

/**
 * Gives back permits that were charged to a bucket; resolves to how many were taken off the use. Too late for the bucket: 0. Never
 * lifts what remains above the limit (R9). `nowMs` is for tests.
 */
export function refundCommand(key: string, quota: Quota, { amount, bucket }: GiveBack, nowMs?: number): ScriptCommand<number> {
  requireInteger('amount', amount, 0);
  requireInteger('bucket', bucket, 0);
  const compiled = quotaArgs(quota);
  const rest = [String(amount), String(bucket)];
  if (nowMs !== undefined) {
    requireInteger('nowMs', nowMs, 0);
    rest.push(String(nowMs));
  }
  const { keys, field } = counterSlots(key, quota);
  const send = (callerMs: number | undefined): ScriptCommand<number> => ({
    script: compiled.refund,
    keys,
    args: field.concat(headOf(compiled, callerMs), rest),
    decode: decodeRefunded,
  });
  if (quota.calendar === undefined) return send(nowMs);
  return {
    ...send(nowMs),
    again(reply) {
      const storeMs = missedCalendarMs(reply);
      return storeMs === undefined ? undefined : send(storeMs);
    },
  };
}

function decodeRefunded(reply: unknown): number {
  if (typeof reply !== 'number' || !Number.isSafeInteger(reply)) throw new ScriptReplyError(reply);
  return reply;
}
