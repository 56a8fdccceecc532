import type { Decision } from '@sluice/limiter';
import type { HeaderChoice } from '@sluice/middleware';
import { CODE, type DescriptorStatus, type HeaderValue, type RateLimitResponse } from '../messages.js';
import type { AskedPart } from './asked-part.js';
import { decidingDecision } from './deciding-decision.js';
import { descriptorStatus } from './descriptor-status.js';
import { responseFields } from './response-fields.js';

/** We have nothing to tell the upstream. */
const NONE: readonly HeaderValue[] = Object.freeze([]);

/** The answer of a request with one descriptor; nearly all have one. */
export function answerOfOne(decision: Decision, choice: HeaderChoice): RateLimitResponse {
  const isOver = !decision.allowed;
  return answer([descriptorStatus(decision, isOver)], isOver, decision, choice);
}

/**
 * The answer of a request: one status for each descriptor, in their order; over as soon as one of them is.
 *
 * @param isReturned whether what was charged goes back
 */
export function answerOfAll(decisions: readonly Decision[], parts: readonly AskedPart[], isReturned: boolean, choice: HeaderChoice): RateLimitResponse {
  const overs = decisions.map((decision, at) => isOver(decision, parts[at]));
  const statuses = decisions.map((decision, at) => descriptorStatus(decision, overs[at] === true, isReturned ? decision.cost : 0));
  const isOverall = overs.includes(true);
  // A part that gives back refuses nobody, also where its counter is beyond its limit still: then the client hears of another one.
  const deciding = decidingDecision(decisions.filter(({ allowed }, at) => (isOverall ? overs[at] : allowed)));
  return answer(statuses, isOverall, deciding, choice);
}

/** Whether a part refuses the request. What gives permits back is OK, however much is in use. */
export function isOver({ allowed }: Decision, part: AskedPart | undefined): boolean {
  return !allowed && part?.givesBack === 0;
}

function answer(statuses: readonly DescriptorStatus[], over: boolean, deciding: Decision | undefined, choice: HeaderChoice): RateLimitResponse {
  const { responseHeadersToAdd, rawBody } = responseFields(deciding, over, choice);
  return { overallCode: over ? CODE.overLimit : CODE.ok, statuses, responseHeadersToAdd, requestHeadersToAdd: NONE, rawBody };
}
