import type { Outcome } from '@sluice/algorithms';
import { ScriptReplyError } from '../script-command.js';

/** The eight integers of a take or a peek, in the order of {@link Outcome}. Throws a {@link ScriptReplyError} for anything else. */
export function decodeOutcome(reply: unknown): Outcome {
  if (!Array.isArray(reply) || reply.length !== 8) throw new ScriptReplyError(reply);
  for (let at = 0; at < 8; at += 1) if (!Number.isSafeInteger(reply[at])) throw new ScriptReplyError(reply);
  return {
    granted: reply[0],
    remaining: reply[1],
    retryMs: reply[2],
    resetMs: reply[3],
    bucket: reply[4],
    bucketEndsInMs: reply[5],
    nowMs: reply[6],
    delayMs: reply[7],
  };
}

/** The replies of take-all, one for each counter. */
export function decodeOutcomes(reply: unknown): readonly Outcome[] {
  if (!Array.isArray(reply)) throw new ScriptReplyError(reply);
  return reply.map(decodeOutcome);
}
