import type { AppliedRule } from '@sluice/rules';
import type { AttemptParts } from './attempt.js';
import type { Decision, DecisionSource, PolicyOutcome } from './decision.js';
import type { Decisions } from './decisions.js';
import type { Lease } from './lease/lease.js';
import type { Landing, Passenger } from './trip/passenger.js';
import { granted, refused, storeAway } from './outcomes.js';
import { withoutStore } from './without-store.js';

/** A request to which one limit applies and that needs a trip: an attempt as most are, which has nobody to wait for or to give back to. */
export class SoloAttempt implements Passenger {
  private settled: Decision | undefined;
  private resolve: ((decision: Decision) => void) | undefined;

  constructor(
    private readonly parts: AttemptParts & { readonly decisions: Decisions },
    private readonly applied: AppliedRule,
    private readonly lease: Lease,
    readonly cost: number,
    private readonly snapshotVersion: number,
  ) {}

  /** At once where no trip has to be waited for. */
  start(): Decision | Promise<Decision> {
    this.lease.pins += 1;
    this.parts.dispatcher.board(this.lease, this);
    return this.settled ?? new Promise((resolve) => (this.resolve = resolve));
  }

  land(landing: Landing): void {
    const { parts, applied, lease, cost } = this;
    const nowMs = parts.clock.nowMs();
    // What the store is known to refuse it still refuses when it cannot be asked again.
    const knownMs = landing.kind === 'fault' && lease.strategy.leases ? lease.waitMs(cost, nowMs) : 0;
    let outcome: PolicyOutcome;
    if (knownMs > 0) outcome = refused(applied, lease, 'local', cost, knownMs, nowMs);
    else if (landing.kind === 'fault') outcome = this.outcome(withoutStore(parts.fallback, lease, cost), 'fallback', nowMs);
    else outcome = this.outcome(landing, 'store', nowMs);
    parts.wheel.unpin(lease, nowMs);
    this.settled = parts.decisions.ofOne(outcome, cost, nowMs, this.snapshotVersion);
    this.resolve?.(this.settled);
  }

  private outcome(landing: Landing | undefined, source: DecisionSource, nowMs: number): PolicyOutcome {
    const { applied, lease, cost } = this;
    if (landing?.kind === 'refused') return refused(applied, lease, source, cost, landing.retryMs, nowMs);
    if (landing?.kind !== 'granted') return storeAway(applied);
    const { bucket, delayMs } = landing;
    return granted(applied, lease, source, { key: lease.key, quota: lease.quota, bucket, amount: cost }, delayMs, nowMs);
  }
}
