import { claimMove } from '../generated/claim-move.js';
import { splits as script } from '../generated/splits.js';
import { type ScriptCommand, ScriptReplyError } from '../script-command.js';
import { requireInteger } from './require-integer.js';

/** A counter that is split, or is to be (R28). */
export interface SplitCounter {
  /** Its key as a whole. */
  readonly counter: string;
  readonly shards: number;
  /** By the store's clock, ms. */
  readonly fromMs: number;
  readonly untilMs: number;
}

export interface SplitsReply {
  readonly splits: readonly SplitCounter[];
  /** The store's clock, ms. */
  readonly nowMs: number;
}

export interface SplitsOptions {
  /** From a proposal until the counter is split, ms. */
  readonly leadMs: number;
  /** For how long it is split after the last proposal, ms. */
  readonly holdMs: number;
  /** For how long a counter is not split that must not be, ms. */
  readonly barMs: number;
  readonly most: number;
  /** For tests: the time, in ms, instead of the store's. */
  readonly nowMs?: number | undefined;
}

/** Proposes counters to be split, or with 0 shards to be whole again, and asks which are split. Sending one twice does no harm. @param key {@link splitsKey} */
export function splitsCommand(key: string, proposals: readonly Pick<SplitCounter, 'counter' | 'shards'>[], options: SplitsOptions): ScriptCommand<SplitsReply> {
  const { leadMs, holdMs, barMs, most, nowMs } = options;
  for (const [name, value] of Object.entries({ leadMs, holdMs, barMs, most, nowMs: nowMs ?? 0 })) requireInteger(name, value, 0);
  const args = [String(leadMs), String(holdMs), String(barMs), String(most), nowMs === undefined ? '' : String(nowMs)];
  for (const { counter, shards } of proposals) {
    requireInteger('shards', shards, 0);
    args.push(counter, String(shards));
  }
  return { script, keys: [key], args, decode: decodeSplits };
}

/** Resolves to whether this node is the one to do a step of a split. */
export function claimMoveCommand(key: string, counter: string, step: string, nodeId: string): ScriptCommand<boolean> {
  return { script: claimMove, keys: [key], args: [counter, step, nodeId], decode: decodeClaim };
}

function decodeSplits(reply: unknown): SplitsReply {
  const [head, ...rest]: readonly unknown[] = Array.isArray(reply) ? reply : [];
  const [nowMs]: readonly unknown[] = Array.isArray(head) ? head : [];
  if (!isCount(nowMs)) throw new ScriptReplyError(reply);
  const splits = rest.map((each): SplitCounter => {
    const [counter, shards, fromMs, untilMs]: readonly unknown[] = Array.isArray(each) ? each : [];
    if (typeof counter !== 'string' || !isCount(shards) || !isCount(fromMs) || !isCount(untilMs)) throw new ScriptReplyError(reply);
    return { counter, shards, fromMs, untilMs };
  });
  return { splits, nowMs };
}

function decodeClaim(reply: unknown): boolean {
  if (reply !== 0 && reply !== 1) throw new ScriptReplyError(reply);
  return reply === 1;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
