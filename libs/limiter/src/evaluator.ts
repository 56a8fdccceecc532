import type { AppliedRule, RequestAttributes } from '@sluice/rules';
import type { Credits } from './approximate/credits.js';
import type { AttemptParts } from './attempt.js';
import type { Decision, PolicyOutcome } from './decision.js';
import type { Decisions } from './decisions.js';
import type { LeaseCursor } from './lease/lease-cursor.js';
import type { Leases } from './lease/leases.js';
import type { Rechecks } from './lease/rechecks.js';
import { NONE } from './request-decision.js';
import { settledBy } from './settled-by.js';
import { type Claim, knownOutcome, type Outcomes, SeveralLimits } from './several-limits.js';
import { SoloAttempt } from './solo-attempt.js';

export interface EvaluatorParts extends AttemptParts {
  readonly leases: Leases;
  readonly credits: Credits;
  readonly rechecks: Rechecks;
  readonly decisions: Decisions;
}

/**
 * Evaluates the limits of one request, all or none (R8). At once when every permit is at hand or one limit is known to
 * refuse; else by an {@link Attempt}.
 */
export class Evaluator {
  /** Where the limits of the request at hand stand; used anew by each, so that a local decision allocates nothing but its answer. */
  private readonly located: LeaseCursor[] = [];

  private readonly several: SeveralLimits;

  readonly decisions: Decisions;

  constructor(private readonly parts: EvaluatorParts) {
    this.several = new SeveralLimits(parts);
    this.decisions = parts.decisions;
  }

  evaluate(
    applied: readonly AppliedRule[],
    attributes: RequestAttributes,
    cost: number,
    nowMs: number,
    snapshotVersion: number,
  ): Decision | Promise<Decision> {
    const { leases } = this.parts;
    let asks = false;
    let refuses = false;
    // Of the limits that are known to refuse: all of them have to be asked for the request to pass.
    let leastWaitMs = Infinity;
    let leastPauseMs = Infinity;
    for (let at = 0; at < applied.length; at += 1) {
      const one = applied[at];
      if (one === undefined) continue;
      const cursor = leases.locate(at, one, attributes, cost, nowMs);
      this.located[at] = cursor;
      const { capacity, strategy } = cursor.terms;
      if (cost > capacity) {
        refuses = true;
        leastWaitMs = 0;
      } else if (!strategy.leases) asks = true;
      else {
        const standing = cursor.standing(cost, nowMs);
        if (standing === 'dry') {
          refuses = true;
          leastWaitMs = Math.min(leastWaitMs, cursor.waitMs(cost, nowMs));
          leastPauseMs = Math.min(leastPauseMs, cursor.pauseMs);
        } else if (standing === 'ask') asks = true;
      }
    }
    if (refuses && !this.parts.rechecks.due(leastWaitMs, leastPauseMs)) {
      return this.refuseOne(applied, cost, nowMs, snapshotVersion) ?? this.refuse(applied, cost, nowMs, snapshotVersion);
    }
    if (refuses || asks) {
      return this.meetsSplit(applied, nowMs)
        ? this.evaluate(applied, attributes, cost, nowMs, snapshotVersion)
        : this.attempt(applied, cost, nowMs, snapshotVersion, !refuses);
    }
    return this.spend(applied, cost, nowMs, snapshotVersion);
  }

  /** A trip is due: whether a counter that this node took for whole is split by now (R28). */
  private meetsSplit(applied: readonly AppliedRule[], nowMs: number): boolean {
    const { auto } = this.parts.leases;
    if (auto === undefined) return false;
    let meets = false;
    for (let at = 0; at < applied.length; at += 1) {
      const cursor = this.located[at];
      if (cursor !== undefined && auto.meets(cursor, nowMs)) meets = true;
    }
    return meets;
  }

  /** Every permit is at hand. Nearly every request comes here, so it does not take the general way. */
  private spend(applied: readonly AppliedRule[], cost: number, nowMs: number, snapshotVersion: number): Decision {
    const { decisions } = this;
    const only = applied[0];
    const cursor = this.located[0];
    if (applied.length === 1 && only !== undefined && cursor !== undefined) return decisions.ofOne(cursor.spend(only, cost, nowMs), cost, nowMs, snapshotVersion);
    return this.spendAll(applied, cost, nowMs, snapshotVersion);
  }

  /** By itself: a function with a closure in it pays for that also where the closure is not made. */
  private spendAll(applied: readonly AppliedRule[], cost: number, nowMs: number, snapshotVersion: number): Decision {
    const policies: PolicyOutcome[] = [];
    for (let at = 0; at < applied.length; at += 1) {
      const one = applied[at];
      const cursor = this.located[at];
      if (one !== undefined && cursor !== undefined) policies.push(cursor.spend(one, cost, nowMs));
    }
    return this.decisions.ofAll(policies, NONE, cost, nowMs, snapshotVersion);
  }

  /** The only limit is known to refuse, as of a caller that does not stop; undefined where there are several. */
  private refuseOne(applied: readonly AppliedRule[], cost: number, nowMs: number, snapshotVersion: number): Decision | undefined {
    const only = applied[0];
    const cursor = this.located[0];
    if (applied.length !== 1 || only === undefined || cursor === undefined) return undefined;
    return this.decisions.ofOne(knownOutcome(only, cursor, cost, nowMs), cost, nowMs, snapshotVersion);
  }

  private refuse(applied: readonly AppliedRule[], cost: number, nowMs: number, snapshotVersion: number): Decision | Promise<Decision> {
    return settledBy((done) => this.several.refuse(this.claims(applied, cost), nowMs, this.decided(cost, snapshotVersion, done)));
  }

  /** @param onCredit whether what lacks may be admitted before the store knows (R29). */
  private attempt(
    applied: readonly AppliedRule[],
    cost: number,
    nowMs: number,
    snapshotVersion: number,
    onCredit: boolean,
  ): Decision | Promise<Decision> {
    const [only] = applied;
    const [cursor] = this.located;
    if (applied.length === 1 && only !== undefined && cursor !== undefined && cursor.terms.shard === undefined) {
      const lease = this.parts.leases.leaseOf(cursor);
      if (onCredit && this.parts.credits.draw(lease, cost, nowMs)) return this.spend(applied, cost, nowMs, snapshotVersion);
      return new SoloAttempt(this.parts, only, lease, cost, snapshotVersion).start();
    }
    return this.attemptAll(applied, cost, nowMs, snapshotVersion);
  }

  private attemptAll(applied: readonly AppliedRule[], cost: number, nowMs: number, snapshotVersion: number): Decision | Promise<Decision> {
    return settledBy((done) => this.several.attempt(this.claims(applied, cost), nowMs, this.decided(cost, snapshotVersion, done)));
  }

  private decided(cost: number, snapshotVersion: number, done: (decision: Decision) => void): Outcomes {
    return (policies, atMs) => done(this.decisions.ofAll(policies, NONE, cost, atMs, snapshotVersion));
  }

  private claims(applied: readonly AppliedRule[], cost: number): readonly Claim[] {
    return applied.flatMap((one, at) => {
      const cursor = this.located[at];
      return cursor === undefined ? [] : [{ applied: one, cursor, cost }];
    });
  }
}
