import type { Decision, PolicyOutcome, Reservation } from '@sluice/limiter';
import { retryAfterSeconds } from '@sluice/middleware';
import { isoTime } from './iso-time.js';
import { policyText } from './policy-text.js';

/**
 * A decision as the JSON of a `CheckAnswer`. Put together by hand: every request of somebody's API waits for it, and most of it is the same
 * each time. Numbers are written as they are, and whatever is not out of a fixed set goes through `JSON.stringify`.
 */
export function answerText(decision: Decision, reservation?: Reservation): string {
  const { deciding, allowed } = decision;
  const seconds = retryAfterSeconds(decision);
  let text = allowed ? '{"overallCode":"OK"' : '{"overallCode":"OVER_LIMIT"';
  if (deciding !== undefined) {
    const resetMs = allowed ? deciding.resetMs : Math.max(deciding.resetMs, deciding.retryMs);
    text += `,"limitRemaining":${deciding.remaining},"resetAfterSeconds":${wholeSeconds(resetMs)}`;
  }
  text += `,"allowed":${allowed},"reason":"${decision.reason}"`;
  if (deciding !== undefined) text += `,${policyText(deciding).deciding}`;
  if (seconds !== undefined) text += `,"retry_after_seconds":${seconds}`;
  text += `,"delay_ms":${decision.delayMs},"cost":${decision.cost},"source":"${deciding?.source ?? 'none'}","snapshot_version":${decision.snapshotVersion},"checked_at":"${isoTime(decision.nowMs)}"`;
  if (reservation?.id !== undefined) text += `,"decision_id":"${reservation.id}","decision_expires_at":"${isoTime(reservation.expiresAtMs)}"`;
  return `${text},"policies":${policiesText(decision.policies)},"shadow":${policiesText(decision.shadow)}}`;
}

function policiesText(policies: readonly PolicyOutcome[]): string {
  if (policies.length === 0) return '[]';
  let text = '';
  for (const policy of policies) text += `${text === '' ? '[' : ','}${entryText(policy)}`;
  return `${text}]`;
}

function entryText(policy: PolicyOutcome): string {
  const { allowed, retryMs } = policy;
  const retry = allowed || retryMs <= 0 ? '' : `,"retry_after_seconds":${Math.max(1, wholeSeconds(retryMs))}`;
  return `{${policyText(policy).entry},"allowed":${allowed},"reason":"${policy.reason}","remaining":${policy.remaining},"reset_after_seconds":${wholeSeconds(policy.resetMs)}${retry},"source":"${policy.source}"}`;
}

function wholeSeconds(ms: number): number {
  return Math.max(0, Math.ceil(ms / 1000));
}
