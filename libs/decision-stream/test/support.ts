import type { Decision, PolicyOutcome } from '@sluice/limiter';
import { createDecisionStream, type DecisionStream, type DecisionStreamOptions } from '../src/index.js';

export const AT_MS = 1_796_047_320_250;

export function streamTo(sink: DecisionStreamOptions['sink'], options: Partial<DecisionStreamOptions> = {}): DecisionStream {
  return createDecisionStream({ sink, region: 'eu-west', nodeId: 'gateway-7', app: 'gateway', snapshotVersion: () => 812, nowMs: () => AT_MS, ...options });
}

export function outcome(fields: Partial<PolicyOutcome> = {}): PolicyOutcome {
  return {
    policy: 'default',
    ruleId: 'items',
    ruleVersion: 3,
    allowed: true,
    limit: 10,
    windowMs: 1_000,
    remaining: 7,
    resetMs: 900,
    retryMs: 0,
    source: 'local',
    reason: 'ok',
    overrideId: undefined,
    delayMs: 0,
    charge: undefined,
    ...fields,
  };
}

/** A decision by these limits, of which the first decides. */
export function decision(...policies: readonly PolicyOutcome[]): Decision {
  const [deciding] = policies;
  const allowed = deciding?.allowed ?? true;
  return {
    allowed,
    reason: deciding?.reason ?? 'no_rule',
    deciding,
    policies,
    shadow: [],
    retryAfterMs: allowed ? undefined : deciding?.retryMs,
    delayMs: 0,
    cost: 1,
    nowMs: AT_MS,
    snapshotVersion: 811,
  };
}

export const REFUSED = decision(outcome({ allowed: false, reason: 'quota', remaining: 0, retryMs: 850 }));
export const ALLOWED = decision(outcome());

/** From 0 to below 1, the same row each time. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
