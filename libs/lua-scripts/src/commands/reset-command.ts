import { reset } from '../generated/reset.js';
import { counterPlace } from '../keys/counter-place.js';
import { ScriptReplyError, type ScriptCommand } from '../script-command.js';

/** Forgets a counter, whatever its algorithm (R9): others of its group stay. Resolves to how many there were, 0 or 1. */
export function resetCommand(key: string): ScriptCommand<number> {
  const { group, field } = counterPlace(key);
  return { script: reset, keys: group === key ? [group] : [group, key], args: [field], decode: decodeCount };
}

function decodeCount(reply: unknown): number {
  if (typeof reply !== 'number' || !Number.isSafeInteger(reply)) throw new ScriptReplyError(reply);
  return reply;
}
