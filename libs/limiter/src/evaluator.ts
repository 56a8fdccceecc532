import type { AppliedRule, RequestAttributes } from '@sluice/rules';
import type { Credits } from './approximate/credits.js';
import { Attempt, type AttemptParts } from './attempt.js';
import type { Decision, PolicyOutcome } from './decision.js';
import type { Decisions } from './decisions.js';
import type { LeaseCursor } from './lease/lease-cursor.js';
import type { Lease } from './lease/lease.js';
import type { Leases } from './lease/leases.js';
import type { Rechecks } from './lease/rechecks.js';
import type { Answer } from './store/counter-store.js';
import { NONE } from './request-decision.js';
import { SoloAttempt } from './solo-attempt.js';
import { combinedAnswer, type Part, partsToRead } from './split/combined-answer.js';
import { ShardTour } from './split/shard-tour.js';
import { StoreFault } from './store/store-fault.js';
import { granted, refused, tooCostly, type Seen } from './outcomes.js';

export interface EvaluatorParts extends AttemptParts {
  readonly leases: Leases;
  readonly credits: Credits;
  readonly rechecks: Rechecks;
  readonly decisions: Decisions;
}

/** A limit that has to be read, of what parts its counter is, and the lease that is pinned meanwhile. */
interface Unread {
  readonly one: AppliedRule;
  readonly at: number;
  readonly lease: Lease;
  readonly seen: Seen;
  readonly parts: readonly Part[];
}

/**
 * Evaluates the limits of one request, all or none (R8). At once when every permit is at hand or one limit is known to
 * refuse; else by an {@link Attempt}.
 */
export class Evaluator {
  /** Where the limits of the request at hand stand; used anew by each, so that a local decision allocates nothing but its answer. */
  private readonly located: LeaseCursor[] = [];

  readonly decisions: Decisions;

  constructor(private readonly parts: EvaluatorParts) {
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
    const policies = this.outcomes(applied, (one, at) => at.spend(one, cost, nowMs));
    return this.decisions.ofAll(policies, NONE, cost, nowMs, snapshotVersion);
  }

  /** The only limit is known to refuse, as of a caller that does not stop; undefined where there are several. */
  private refuseOne(applied: readonly AppliedRule[], cost: number, nowMs: number, snapshotVersion: number): Decision | undefined {
    const only = applied[0];
    const cursor = this.located[0];
    if (applied.length !== 1 || only === undefined || cursor === undefined) return undefined;
    return this.decisions.ofOne(knownOutcome(only, cursor, cost, nowMs), cost, nowMs, snapshotVersion);
  }

  /**
   * One limit is known to refuse, so nothing is charged and no lease asks. Limits that are asked every time are read, in one trip: without
   * them the wait could be too short (R70).
   */
  private refuse(applied: readonly AppliedRule[], cost: number, nowMs: number, snapshotVersion: number): Decision | Promise<Decision> {
    const { decisions } = this;
    const { store, dispatcher, wheel } = this.parts;
    const never = this.located.slice(0, applied.length).some(({ terms }) => cost > terms.capacity);
    const policies = this.outcomes(applied, (one, cursor) => knownOutcome(one, cursor, cost, nowMs));
    const unread = never ? [] : applied.flatMap((one, at) => this.unread(one, at));
    if (unread.length === 0) return decisions.ofAll(policies, NONE, cost, nowMs, snapshotVersion);
    const put = (answers: readonly Answer[]): Decision => {
      let next = 0;
      for (const { one, at, lease, seen, parts } of unread) {
        const answer = combinedAnswer(parts, answers.slice(next, (next += parts.length)), cost);
        policies[at] = readOutcome(one, seen, answer, cost, nowMs);
        wheel.unpin(lease, nowMs);
      }
      return decisions.ofAll(policies, NONE, cost, nowMs, snapshotVersion);
    };
    const asks = unread.flatMap(({ parts }) => parts.map(({ key, quota }) => ({ key, quota, need: cost, want: 0, backAmount: 0, backBucket: 0 })));
    const answers = asks.flatMap((ask) => store.takeNow?.(ask) ?? []);
    return answers.length === asks.length ? put(answers) : dispatcher.read(asks).then(put);
  }

  private unread(one: AppliedRule, at: number): readonly Unread[] {
    const cursor = this.located[at];
    if (cursor === undefined || cursor.terms.strategy.leases) return [];
    const lease = this.parts.leases.leaseOf(cursor);
    lease.pins += 1;
    return [{ one, at, lease, seen: cursor.split ?? lease, parts: partsToRead(cursor, lease) }];
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
    let settled: Decision | undefined;
    let resolve: ((decision: Decision) => void) | undefined;
    const located = this.located.slice(0, applied.length);
    const leases = located.map((each) => this.parts.leases.leaseOf(each));
    const tours = located.map((each, at) => ShardTour.of(this.parts.leases.shards, each, leases[at]));
    new Attempt(this.parts, applied, leases, tours, cost, (policies, settledAtMs) => {
      settled = this.decisions.ofAll(policies, NONE, cost, settledAtMs, snapshotVersion);
      resolve?.(settled);
    }).start(nowMs);
    return settled ?? new Promise((whenSettled) => (resolve = whenSettled));
  }

  /** An outcome for each applied rule, from where it stands. */
  private outcomes(applied: readonly AppliedRule[], outcomeOf: (one: AppliedRule, cursor: LeaseCursor) => PolicyOutcome): PolicyOutcome[] {
    const policies: PolicyOutcome[] = [];
    for (let at = 0; at < applied.length; at += 1) {
      const one = applied[at];
      const cursor = this.located[at];
      if (one !== undefined && cursor !== undefined) policies.push(outcomeOf(one, cursor));
    }
    return policies;
  }
}

/** A limit that was only read, since another one refuses; of one whose store is away nothing is known. */
function readOutcome(one: AppliedRule, seen: Seen, answer: Answer, cost: number, nowMs: number): PolicyOutcome {
  const allows = answer instanceof StoreFault || answer.remaining >= cost;
  return allows ? granted(one, seen, 'store', undefined, 0, nowMs) : refused(one, seen, 'store', cost, Math.max(1, answer.retryMs), nowMs);
}

/** The request is refused without a trip: what each limit says of it from memory. */
function knownOutcome(one: AppliedRule, cursor: LeaseCursor, cost: number, nowMs: number): PolicyOutcome {
  const { capacity, strategy } = cursor.terms;
  const seen = cursor.split ?? cursor;
  if (cost > capacity) return tooCostly(one, seen, nowMs);
  const waitMs = strategy.leases && cursor.standing(cost, nowMs) === 'dry' ? cursor.waitMs(cost, nowMs) : 0;
  return waitMs > 0 ? refused(one, seen, 'local', cost, waitMs, nowMs) : granted(one, seen, 'local', undefined, 0, nowMs);
}
