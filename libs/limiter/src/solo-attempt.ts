import type { AppliedRule } from '@sluice/rules';
import type { AttemptParts } from './attempt.js';
import { policyOutcome, type Verdict } from './decision-builder.js';
import type { DecisionSource } from './decision.js';
import type { Evaluation } from './evaluation.js';
import type { Lease } from './lease/lease.js';
import type { Landing, Passenger } from './trip/passenger.js';
import { granted, refused, STORE_AWAY } from './verdict.js';
import { withoutStore } from './without-store.js';

/** A request to which one limit applies and that needs a trip: an attempt as most are, which has nobody to wait for or to give back to. */
export class SoloAttempt implements Passenger {
  private settled: Evaluation | undefined;
  private resolve: ((evaluation: Evaluation) => void) | undefined;

  constructor(
    private readonly parts: AttemptParts,
    private readonly applied: AppliedRule,
    private readonly lease: Lease,
    readonly cost: number,
  ) {}

  /** At once where no trip has to be waited for. */
  start(): Evaluation | Promise<Evaluation> {
    this.lease.pins += 1;
    this.parts.dispatcher.board(this.lease, this);
    return this.settled ?? new Promise((resolve) => (this.resolve = resolve));
  }

  land(landing: Landing): void {
    const { parts, lease, cost } = this;
    const nowMs = parts.clock.nowMs();
    // What the store is known to refuse it still refuses when it cannot be asked again.
    const knownMs = landing.kind === 'fault' && lease.strategy.leases ? lease.waitMs(cost, nowMs) : 0;
    let verdict: Verdict;
    if (knownMs > 0) verdict = refused(lease, 'local', cost, knownMs, nowMs);
    else if (landing.kind === 'fault') verdict = this.verdict(withoutStore(parts.fallback, lease, cost), 'fallback', nowMs);
    else verdict = this.verdict(landing, 'store', nowMs);
    lease.pins -= 1;
    this.settled = { policies: [policyOutcome(this.applied, verdict)], nowMs };
    this.resolve?.(this.settled);
  }

  private verdict(landing: Landing | undefined, source: DecisionSource, nowMs: number): Verdict {
    const { lease, cost } = this;
    if (landing?.kind === 'refused') return refused(lease, source, cost, landing.retryMs, nowMs);
    if (landing?.kind !== 'granted') return STORE_AWAY;
    const { bucket, delayMs } = landing;
    return granted(lease, source, { key: lease.key, quota: lease.quota, bucket, amount: cost }, delayMs, nowMs);
  }
}
