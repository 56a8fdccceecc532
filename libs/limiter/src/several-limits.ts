import type { AppliedRule } from '@sluice/rules';
import { Attempt, seatOf, type AttemptParts } from './attempt.js';
import type { PolicyOutcome } from './decision.js';
import type { LeaseCursor } from './lease/lease-cursor.js';
import type { Lease } from './lease/lease.js';
import type { Leases } from './lease/leases.js';
import { granted, refused, tooCostly, type Seen } from './outcomes.js';
import { combinedAnswer, type Part, partsToRead } from './split/combined-answer.js';
import { ShardTour } from './split/shard-tour.js';
import type { Answer } from './store/counter-store.js';
import { StoreFault } from './store/store-fault.js';

/** One limit of a request, where its counter stands, and what the request is to take from it. */
export interface Claim {
  readonly applied: AppliedRule;
  readonly cursor: LeaseCursor;
  readonly cost: number;
}

export interface SeveralLimitsParts extends AttemptParts {
  readonly leases: Leases;
}

/** Takes the outcomes of all claims, in their order, and when they were settled. */
export type Outcomes = (policies: readonly PolicyOutcome[], nowMs: number) => void;

/** A limit that has to be read, of what parts its counter is, and the lease that is pinned meanwhile. */
interface Unread {
  readonly claim: Claim;
  readonly at: number;
  readonly lease: Lease;
  readonly seen: Seen;
  readonly parts: readonly Part[];
}

/** Several limits of one request that are decided as one, each with its own cost: all are charged, or none (R8). Cursors are good for the call alone. */
export class SeveralLimits {
  constructor(private readonly parts: SeveralLimitsParts) {}

  /** A trip is due: whether a counter that this node took for whole is split by now (R28), so that the claims have to be located anew. */
  meetsSplit(claims: readonly Claim[], nowMs: number): boolean {
    const { auto } = this.parts.leases;
    if (auto === undefined) return false;
    let meets = false;
    for (const { cursor } of claims) if (auto.meets(cursor, nowMs)) meets = true;
    return meets;
  }

  /** Every permit is at hand. */
  spend(claims: readonly Claim[], nowMs: number): readonly PolicyOutcome[] {
    return claims.map(({ applied, cursor, cost }) => cursor.spend(applied, cost, nowMs));
  }

  /**
   * One limit is known to refuse, so nothing is charged and no lease asks. Limits that are asked every time are read, in one trip: without
   * them the wait could be too short (R70).
   */
  refuse(claims: readonly Claim[], nowMs: number, done: Outcomes): void {
    const { store, dispatcher, wheel } = this.parts;
    const never = claims.some(({ cost, cursor }) => cost > cursor.terms.capacity);
    const policies = claims.map(({ applied, cursor, cost }) => knownOutcome(applied, cursor, cost, nowMs));
    const unread = never ? [] : claims.flatMap((claim, at) => this.unread(claim, at));
    if (unread.length === 0) {
      done(policies, nowMs);
      return;
    }
    const put = (answers: readonly Answer[]): void => {
      let next = 0;
      for (const { claim, at, lease, seen, parts } of unread) {
        const answer = combinedAnswer(parts, answers.slice(next, (next += parts.length)), claim.cost);
        policies[at] = readOutcome(claim, seen, answer, nowMs);
        wheel.unpin(lease, nowMs);
      }
      done(policies, nowMs);
    };
    const asks = unread.flatMap(({ claim, parts }) => parts.map(({ key, quota }) => ({ key, quota, need: claim.cost, want: 0, backAmount: 0, backBucket: 0 })));
    const answers = asks.flatMap((ask) => store.takeNow?.(ask) ?? []);
    if (answers.length === asks.length) put(answers);
    else void dispatcher.read(asks).then(put);
  }

  /** At least one limit needs a trip. */
  attempt(claims: readonly Claim[], nowMs: number, done: Outcomes): void {
    const { leases } = this.parts;
    const seats = claims.map(({ applied, cursor, cost }) => {
      const lease = leases.leaseOf(cursor);
      return seatOf(applied, cost, lease, ShardTour.of(leases.shards, cursor, lease));
    });
    new Attempt(this.parts, seats, done).start(nowMs);
  }

  private unread(claim: Claim, at: number): readonly Unread[] {
    const { cursor } = claim;
    if (cursor.terms.strategy.leases) return [];
    const lease = this.parts.leases.leaseOf(cursor);
    lease.pins += 1;
    return [{ claim, at, lease, seen: cursor.split ?? lease, parts: partsToRead(cursor, lease) }];
  }
}

/** A limit that was only read, since another one refuses; of one whose store is away nothing is known. */
function readOutcome({ applied, cost }: Claim, seen: Seen, answer: Answer, nowMs: number): PolicyOutcome {
  const allows = answer instanceof StoreFault || answer.remaining >= cost;
  return allows ? granted(applied, seen, 'store', undefined, 0, nowMs) : refused(applied, seen, 'store', cost, Math.max(1, answer.retryMs), nowMs);
}

/** The request is refused without a trip: what each limit says of it from memory. */
export function knownOutcome(applied: AppliedRule, cursor: LeaseCursor, cost: number, nowMs: number): PolicyOutcome {
  const { capacity, strategy } = cursor.terms;
  const seen = cursor.split ?? cursor;
  if (cost > capacity) return tooCostly(applied, seen, nowMs);
  const waitMs = strategy.leases && cursor.standing(cost, nowMs) === 'dry' ? cursor.waitMs(cost, nowMs) : 0;
  return waitMs > 0 ? refused(applied, seen, 'local', cost, waitMs, nowMs) : granted(applied, seen, 'local', undefined, 0, nowMs);
}
