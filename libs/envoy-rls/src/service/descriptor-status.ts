import type { Decision, PolicyOutcome } from '@sluice/limiter';
import { CODE, type CurrentLimit, type DescriptorStatus } from '../messages.js';
import { responseUnit } from './response-unit.js';

const MAX_UINT32 = 2 ** 32 - 1;

/** Nothing applies to the descriptor: OK, and nothing else. */
const UNLIMITED: DescriptorStatus = Object.freeze({ code: CODE.ok, currentLimit: undefined, limitRemaining: 0, durationUntilResetMs: undefined });

/**
 * The status of one descriptor: that of the policy that decides, where several apply. Over means that nothing remains, as upstream has it,
 * although a smaller cost might pass (what really remains is in the response fields): Envoy shows the client the limit with the fewest left.
 *
 * @param isOver whether it refuses
 * @param returned permits that go back, since the request is refused after all
 */
export function descriptorStatus({ deciding }: Decision, isOver: boolean, returned = 0): DescriptorStatus {
  if (deciding === undefined) return UNLIMITED;
  return {
    code: isOver ? CODE.overLimit : CODE.ok,
    currentLimit: currentLimit(deciding),
    limitRemaining: isOver ? 0 : uint32(returned === 0 ? deciding.remaining : Math.min(deciding.limit, deciding.remaining + returned)),
    durationUntilResetMs: resetMs(deciding),
  };
}

/**
 * The name is the policy's, which is what the response fields name too and what a client may see; ids of rules are for operators, who find
 * them in the log. It cannot break the field that Envoy puts it in: policies are `[a-z0-9_.-]{1,64}`.
 */
function currentLimit({ limit, windowMs, policy }: PolicyOutcome): CurrentLimit {
  return { requestsPerUnit: uint32(limit), unit: responseUnit(windowMs), name: policy };
}

/** Whole seconds and at least one: Envoy prints the seconds of the duration and drops the rest, which must not be too early. */
function resetMs({ resetMs: freeMs, retryMs }: PolicyOutcome): number {
  return Math.max(1, Math.ceil(Math.max(freeMs, retryMs) / 1000)) * 1000;
}

function uint32(value: number): number {
  return Math.min(MAX_UINT32, Math.max(0, value));
}
