import type { Decision, PolicyOutcome } from '@sluice/limiter';
import { CODE } from '../messages.js';
import { descriptorStatus } from './descriptor-status.js';

function decision(outcome: Partial<PolicyOutcome>): Decision {
  const deciding: PolicyOutcome = {
    ...{ policy: 'p', ruleId: 'r', ruleVersion: 1, allowed: true, limit: 10, windowMs: 60_000, remaining: 4, resetMs: 0, retryMs: 0 },
    ...{ source: 'store', reason: 'ok', overrideId: undefined, delayMs: 0, charge: undefined },
    ...outcome,
  };
  return { allowed: deciding.allowed, reason: deciding.reason, deciding, policies: [deciding], shadow: [], retryAfterMs: undefined, delayMs: 0, cost: 1, nowMs: 0, snapshotVersion: 1 };
}

describe('R73 the time to the reset of a status (13)', () => {
  it.each([
    [0, 0, 1_000],
    [1, 0, 1_000],
    [1_000, 0, 1_000],
    [1_001, 0, 2_000],
    [1_900, 0, 2_000],
    [500, 2_100, 3_000],
    // No waiting helps.
    [59_001, -1, 60_000],
  ])('of a counter that is free in %d ms and retried in %d ms is %d ms', (resetMs, retryMs, duration) => {
    expect(descriptorStatus(decision({ resetMs, retryMs }), false).durationUntilResetMs).toBe(duration);
  });
});

describe('R73 what remains by a status (6, 12)', () => {
  it.each([
    [4, false, 0, 4],
    [4, true, 0, 0],
    // What goes back counts, as far as the limit.
    [4, false, 3, 7],
    [9, false, 3, 10],
    [-2, false, 0, 0],
    [2 ** 40, false, 0, 2 ** 32 - 1],
  ])('of %d, over: %s, %d returned, is %d', (remaining, isOver, returned, shown) => {
    expect(descriptorStatus(decision({ remaining, allowed: !isOver }), isOver, returned)).toMatchObject({ code: isOver ? CODE.overLimit : CODE.ok, limitRemaining: shown });
  });
});
