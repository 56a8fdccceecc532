import { unboxed, type Outcome } from '@sluice/algorithms';
import { ScriptReplyError } from '../script-command.js';

/** The eight integers of a take or a peek, in the order of {@link Outcome}. Throws a {@link ScriptReplyError} for anything else. */
export function decodeOutcome(reply: unknown): Outcome {
  if (!Array.isArray(reply) || reply.length !== 8) throw new ScriptReplyError(reply);
  for (let at = 0; at < 8; at += 1) if (!Number.isSafeInteger(reply[at])) throw new ScriptReplyError(reply);
  // The time makes the reply an array of doubles.
  return {
    granted: unboxed(reply[0]),
    remaining: unboxed(reply[1]),
    retryMs: unboxed(reply[2]),
    resetMs: unboxed(reply[3]),
    bucket: unboxed(reply[4]),
    bucketEndsInMs: unboxed(reply[5]),
    nowMs: reply[6],
    delayMs: unboxed(reply[7]),
  };
}

/** The replies of take-all, one for each counter. */
export function decodeOutcomes(reply: unknown): readonly Outcome[] {
  if (!Array.isArray(reply)) throw new ScriptReplyError(reply);
  return reply.map(decodeOutcome);
}
