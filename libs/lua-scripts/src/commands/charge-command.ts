import type { Outcome, Quota } from '@sluice/algorithms';
import type { ScriptCommand } from '../script-command.js';
import { counterSlots } from './counter-slots.js';
import { decodeOutcome } from './decode-outcome.js';
import { missedCalendarMs } from './missed-calendar.js';
import { headOf, quotaArgs } from './quota-args.js';
import { requireInteger } from './require-integer.js';

export interface ChargeOptions {
  /** Charges only a counter that holds no use; default false. */
  readonly onlyIfAbsent?: boolean | undefined;
  /** sliding_counter: charges an earlier bucket, as {@link usageCommand} names it; too late for it means 0. Others have but one. */
  readonly bucket?: number | undefined;
  /** For tests: decides at this time, in ms, instead of the store's (R6). */
  readonly nowMs?: number | undefined;
}

/**
 * Charges `amount` whatever is left, beyond the limit too (R14); `granted` is what was charged, `retryMs` is until one permit is there.
 * Amount 0 reads. Throws a RangeError for an amount that is not an integer from 0 on.
 */
export function chargeCommand(key: string, quota: Quota, amount: number, options: ChargeOptions = {}): ScriptCommand<Outcome> {
  const { onlyIfAbsent = false, bucket, nowMs } = options;
  requireInteger('amount', amount, 0);
  const compiled = quotaArgs(quota);
  const rest = [String(amount), onlyIfAbsent ? '1' : '0'];
  if (nowMs !== undefined) {
    requireInteger('nowMs', nowMs, 0);
    rest.push(String(nowMs));
  }
  if (bucket !== undefined && quota.algorithm === 'sliding_counter') {
    requireInteger('bucket', bucket, 0);
    rest.push(...(nowMs === undefined ? [''] : []), String(bucket));
  }
  const { keys, field } = counterSlots(key, quota);
  const send = (callerMs: number | undefined): ScriptCommand<Outcome> => ({
    script: compiled.charge,
    keys,
    args: field.concat(headOf(compiled, callerMs), rest),
    decode: decodeOutcome,
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
