import type { Outcome } from '@sluice/algorithms';
import { ScriptReplyError } from '../script-command.js';

/** The eight integers of a take or a peek, in the order of {@link Outcome}. Throws a {@link ScriptReplyError} for anything else. */
export function decodeOutcome(reply: unknown): Outcome {
  if (!Array.isArray(reply) || reply.length !== 8 || !reply.every(Number.isSafeInteger)) throw new ScriptReplyError(reply);
  const [granted, remaining, retryMs, resetMs, bucket, bucketEndsInMs, nowMs, delayMs] = reply;
  return { granted, remaining, retryMs, resetMs, bucket, bucketEndsInMs, nowMs, delayMs };
}

/** The replies of take-all, one for each counter. */
export function decodeOutcomes(reply: unknown): readonly Outcome[] {
  if (!Array.isArray(reply)) throw new ScriptReplyError(reply);
  return reply.map(decodeOutcome);
}
