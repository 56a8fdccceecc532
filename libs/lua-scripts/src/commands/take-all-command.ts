import type { Outcome, Quota } from '@sluice/algorithms';
import { takeAll } from '../generated/take-all.js';
import type { ScriptCommand } from '../script-command.js';
import { counterSlots, type CounterSlots } from './counter-slots.js';
import { decodeOutcomes } from './decode-outcome.js';
import { missedCalendarMs } from './missed-calendar.js';
import { blockOf, quotaArgs } from './quota-args.js';
import { requireInteger } from './require-integer.js';

/** One counter of a request to which several limits apply. */
export interface CounterTake {
  readonly key: string;
  readonly quota: Quota;
  readonly need: number;
  readonly want: number;
}

/**
 * Takes from several counters of any algorithms in one atomic step: each is charged only if each can grant its `need` (R8). Of a
 * refusal, those that could have granted answer as a peek would. One whose own quota says `chargeDenied` counts its own denial.
 * With `want` 0 everywhere it only reads.
 *
 * On a cluster all keys must share a slot (one hash tag), else the store refuses the call with CROSSSLOT. Throws a RangeError for
 * a key that comes twice, or for no counter at all. `nowMs` is for tests.
 */
export function takeAllCommand(takes: readonly CounterTake[], nowMs?: number): ScriptCommand<readonly Outcome[]> {
  if (nowMs !== undefined) requireInteger('nowMs', nowMs, 0);
  for (const { need, want } of takes) {
    requireInteger('need', need, want === 0 ? 0 : 1);
    requireInteger('want', want, want === 0 ? 0 : need);
  }
  const names = takes.map(({ key }) => key);
  if (names.length === 0 || new Set(names).size < names.length) throw new RangeError(`takeAll needs counters, each once: ${names.join(' ')}`);
  const slots = takes.map(({ key, quota }) => counterSlots(key, quota));
  const keys = slots.flatMap((each) => each.keys);
  const send = (callerMs: number | undefined): ScriptCommand<readonly Outcome[]> => ({
    script: takeAll,
    keys,
    args: argsOf(takes, slots, nowMs, callerMs),
    decode: decodeOutcomes,
  });
  if (takes.every(({ quota }) => quota.calendar === undefined)) return send(nowMs);
  return {
    ...send(nowMs),
    again(reply) {
      const storeMs = missedCalendarMs(reply);
      return storeMs === undefined ? undefined : send(storeMs);
    },
  };
}

function argsOf(takes: readonly CounterTake[], slots: readonly CounterSlots[], nowMs: number | undefined, callerMs: number | undefined): string[] {
  const args = [nowMs === undefined ? '' : String(nowMs)];
  takes.forEach(({ quota, need, want }, i) => {
    const compiled = quotaArgs(quota);
    args.push(slots[i]?.field[0] ?? '', ...blockOf(compiled, callerMs), String(need), String(want), compiled.chargeDenied);
  });
  return args;
}
