import { capacityOf, type BucketUse, type Outcome, type Quota, type Usage } from '@sluice/algorithms';
import { usageSlidingCounter } from '../generated/usage-sliding-counter.js';
import { type ScriptCommand, ScriptReplyError } from '../script-command.js';
import { counterSlots } from './counter-slots.js';
import { headOf, quotaArgs } from './quota-args.js';
import { requireInteger } from './require-integer.js';
import { peekCommand } from './take-command.js';

/**
 * Reads what is in use, debt included, so that it can be charged to other counters (R28). Of a sliding counter by sub-bucket; of the others it is the
 * present one's.
 */
export function usageCommand(key: string, quota: Quota, nowMs?: number): ScriptCommand<Usage> {
  if (quota.algorithm !== 'sliding_counter') return read(peekCommand(key, roomy(quota), 0, { nowMs }), capacityOf(roomy(quota)));
  const compiled = quotaArgs(quota);
  const { keys, field } = counterSlots(key, quota);
  const args = field.concat(headOf(compiled, nowMs));
  if (nowMs !== undefined) {
    requireInteger('nowMs', nowMs, 0);
    args.push(String(nowMs));
  }
  return { script: usageSlidingCounter, keys, args, decode: (reply) => decodeCounts(reply, quota.subBuckets) };
}

/**
 * The same counter with room for all that it may hold, debt and what a greater limit once let in included, so that what is left over says how much is in use.
 * The limit of those that drain is their pace, so it stays.
 */
function roomy(quota: Quota): Quota {
  const most = Number.MAX_SAFE_INTEGER;
  const windows = quota.algorithm === 'fixed_window' || quota.algorithm === 'sliding_log';
  return windows ? { ...quota, limit: most, burst: most } : { ...quota, burst: most };
}

function read(peek: ScriptCommand<Outcome>, capacity: number): ScriptCommand<Usage> {
  const { script, keys, args, again } = peek;
  const command: ScriptCommand<Usage> = {
    script,
    keys,
    args,
    decode(reply) {
      const { nowMs, remaining, bucket } = peek.decode(reply);
      return { nowMs, parts: inUse([{ bucket, amount: capacity - remaining }]) };
    },
    again: (reply) => {
      const next = again?.(reply);
      return next === undefined ? undefined : read(next, capacity);
    },
  };
  return command;
}

function decodeCounts(reply: unknown, subBuckets: number): Usage {
  const [nowMs, newest, ...counts]: readonly unknown[] = Array.isArray(reply) ? reply : [];
  if (typeof nowMs !== 'number' || typeof newest !== 'number' || counts.length !== subBuckets + 1) throw new ScriptReplyError(reply);
  return { nowMs, parts: inUse(counts.map((amount, j) => ({ bucket: newest + j - subBuckets, amount: Number(amount) }))) };
}

function inUse(parts: readonly BucketUse[]): readonly BucketUse[] {
  return parts.filter(({ amount }) => amount > 0);
}
