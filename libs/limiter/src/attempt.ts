import type { Outcome, Quota } from '@sluice/algorithms';
import type { AppliedRule } from '@sluice/rules';
import type { Clock } from './clock.js';
import type { Charge, PolicyOutcome } from './decision.js';
import type { Fallback } from './fallback.js';
import type { IdleWheel } from './lease/idle-wheel.js';
import type { Lease } from './lease/lease.js';
import { sameQuota } from './lease/terms.js';
import type { CounterStore } from './store/counter-store.js';
import type { ShardTour } from './split/shard-tour.js';
import type { TripCounts } from './split/trip-counts.js';
import { StoreFault } from './store/store-fault.js';
import type { Dispatcher } from './trip/dispatcher.js';
import type { Landing } from './trip/passenger.js';
import { granted, refused, storeAway } from './outcomes.js';
import { withoutStore } from './without-store.js';

export interface AttemptParts {
  readonly clock: Clock;
  readonly store: CounterStore;
  readonly dispatcher: Dispatcher;
  readonly wheel: IdleWheel;
  readonly fallback: Fallback;
  /** Counts trips by counter (R28); absent: nobody asks. */
  readonly trips?: TripCounts | undefined;
}

const SPARED: Landing = { kind: 'spared' };

/** How one limit was settled, and where the answer came from. */
export interface Seat {
  readonly applied: AppliedRule;
  readonly cost: number;
  /** Of the shard that was asked last, where the counter is split. */
  lease: Lease;
  readonly tour: ShardTour | undefined;
  /** What was charged, where that is not the lease's counter: the fallback counts a split one as a whole. */
  charged: Pick<Charge, 'key' | 'quota'>;
  source: 'local' | 'store' | 'fallback';
  landing: Landing | undefined;
  /** When the node took what it held. */
  spentAtMs?: number;
}

/** A limit of a request that needs a trip, before anybody has asked. */
export function seatOf(applied: AppliedRule, cost: number, lease: Lease, tour: ShardTour | undefined): Seat {
  return { applied, cost, lease, tour, charged: lease, source: 'store', landing: undefined };
}

/**
 * One request that needs at least one trip. Permits that the node holds are set aside first, so that nobody else spends them
 * meanwhile; then every limit that lacks some asks, all in one round trip. Allowed only if all grant; otherwise what was
 * granted stays with the node or goes back, and nothing is charged (R8).
 */
export class Attempt {
  private missing: number;

  /** @param done called once, with an outcome for each seat; within {@link start} if no trip has to be waited for. */
  constructor(
    private readonly parts: AttemptParts,
    private readonly seats: readonly Seat[],
    private readonly done: (policies: readonly PolicyOutcome[], nowMs: number) => void,
  ) {
    for (const { lease } of seats) lease.pins += 1;
    this.missing = seats.length;
  }

  start(nowMs: number): void {
    const exact = this.seats.filter(({ lease }) => !lease.strategy.leases);
    const asking = exact.length > 1 ? [] : [...exact];
    for (const seat of this.seats) {
      if (seat.lease.strategy.leases && !this.spends(seat, nowMs)) asking.push(seat);
    }
    if (exact.length > 1) this.askTogether(exact);
    for (const seat of asking) this.board(seat);
  }

  /** Takes permits that are held. */
  private spends(seat: Seat, nowMs: number): boolean {
    const { lease, cost } = seat;
    if (this.parts.dispatcher.standing(lease, cost, nowMs) !== 'held') return false;
    lease.balance -= cost;
    seat.source = 'local';
    seat.spentAtMs = nowMs;
    this.settle(seat, { kind: 'granted', bucket: lease.bucket, delayMs: 0 });
    return true;
  }

  private board(seat: Seat): void {
    this.parts.dispatcher.board(seat.lease, { cost: seat.cost, land: (landing) => this.land(seat, landing) });
  }

  /** Settles the seat, unless another shard of its counter may say otherwise (R28). */
  private land(seat: Seat, landing: Landing): void {
    const settled = this.toured(seat, landing);
    if (settled !== undefined) this.settle(seat, settled);
    else if (!seat.lease.strategy.leases || !this.spends(seat, this.parts.clock.nowMs())) this.board(seat);
  }

  /** Undefined when the seat goes on to another shard. */
  private toured(seat: Seat, landing: Landing): Landing | undefined {
    const { tour } = seat;
    if (tour === undefined) return landing;
    const nowMs = this.parts.clock.nowMs();
    const settled = tour.landed(landing, seat.cost, nowMs);
    if (settled !== undefined) return settled;
    const { lease } = seat;
    seat.lease = tour.lease;
    seat.charged = seat.lease;
    seat.lease.pins += 1;
    this.parts.wheel.unpin(lease, nowMs);
    return undefined;
  }

  /** Several exact limits: one atomic step over all of them, so that a refusal charges none even for an instant. */
  private askTogether(seats: readonly Seat[]): void {
    const asks = seats.map(({ cost, lease: { key, quota } }) => ({ key, quota, need: cost, want: cost, backAmount: 0, backBucket: 0 }));
    for (const seat of seats) this.parts.trips?.note(seat.lease, [seat]);
    const sentAtMs = this.parts.clock.nowMs();
    void this.parts.dispatcher.askTogether(asks).then((answers) => {
      const landings = seats.map((seat, at) => {
        const answer = answers[at] ?? new StoreFault('rejected', 'the store left an ask unanswered');
        if (answer instanceof StoreFault) return { kind: 'fault', fault: answer } satisfies Landing;
        this.learn(seat, asks[at]?.quota, answer, sentAtMs);
        return landingOf(answer, seat.cost);
      });
      const settled = seats.map((seat, at) => this.toured(seat, landings[at] ?? SPARED));
      // Nothing was charged, so all of them are asked again where one has gone on to another shard; of the others one that refuses ends it.
      const goesOn = settled.includes(undefined) && settled.every((landing) => landing === undefined || landing.kind === 'spared');
      if (goesOn) this.askTogether(seats);
      else seats.forEach((seat, at) => this.settle(seat, settled[at] ?? landings[at] ?? SPARED));
    });
  }

  /** What the store says of the counter, unless its rule has changed meanwhile so that other answers say more. */
  private learn({ lease, cost }: Seat, quota: Quota | undefined, { remaining, resetMs, retryMs, bucket, bucketEndsInMs }: Outcome, sentAtMs: number): void {
    if (quota === undefined || !sameQuota(quota, lease.quota) || lease.credit?.isOpen === true) return;
    const nowMs = this.parts.clock.nowMs();
    // Held since the rule was one that leases.
    if (lease.balance > 0 && lease.bucket !== bucket) this.parts.dispatcher.returnBalance(lease);
    lease.storeRemaining = remaining;
    lease.resetAtMs = nowMs + resetMs;
    lease.hold(bucket, sentAtMs + bucketEndsInMs - 1);
    if (lease.terms.shard !== undefined && retryMs > 0) lease.refuse(cost, nowMs + retryMs, nowMs);
  }

  private settle(seat: Seat, landing: Landing): void {
    seat.landing = landing;
    this.missing -= 1;
    if (this.missing > 0) return;
    for (const each of this.seats) this.withoutStore(each);
    const refuses = this.seats.some((each) => each.landing?.kind === 'refused' || each.landing?.kind === 'fault');
    const nowMs = this.parts.clock.nowMs();
    const policies = this.seats.map((each) => this.outcome(each, refuses, nowMs));
    for (const { lease } of this.seats) this.parts.wheel.unpin(lease, nowMs);
    this.done(policies, nowMs);
  }

  private outcome({ applied, cost, lease, tour, charged, source, landing, spentAtMs }: Seat, refuses: boolean, nowMs: number): PolicyOutcome {
    const seen = tour?.state ?? lease;
    switch (landing?.kind) {
      case 'granted': {
        const { bucket, delayMs } = landing;
        if (refuses) {
          if (source === 'fallback') this.parts.fallback.giveBack(charged.key, charged.quota, cost, bucket);
          else this.parts.dispatcher.keep(lease, cost, bucket, nowMs, spentAtMs);
          return granted(applied, seen, source, undefined, 0, nowMs);
        }
        return granted(applied, seen, source, { key: charged.key, quota: charged.quota, bucket, amount: cost }, delayMs, nowMs);
      }
      case 'spared':
        return granted(applied, seen, source, undefined, 0, nowMs);
      case 'refused':
        return refused(applied, seen, source, cost, landing.retryMs, nowMs);
      default:
        return storeAway(applied);
    }
  }

  /** R41: the rule says whether the node goes on by itself or refuses. */
  private withoutStore(seat: Seat): void {
    if (seat.landing?.kind !== 'fault') return;
    const { lease, tour, cost } = seat;
    const { store, fallback, clock } = this.parts;
    // What the store is known to refuse it still refuses when it cannot be asked again.
    const knownMs = lease.strategy.leases ? lease.waitMs(cost, clock.nowMs()) : 0;
    if (knownMs > 0) {
      seat.source = 'local';
      seat.landing = { kind: 'refused', retryMs: knownMs };
      return;
    }
    const counter = tour === undefined ? lease : { key: tour.key, quota: tour.awayQuota((key) => store.stateOf?.(key) !== 'fine'), rule: lease.rule };
    seat.source = 'fallback';
    seat.charged = counter;
    seat.landing = withoutStore(fallback, counter, cost) ?? seat.landing;
  }
}

function landingOf(answer: Outcome, cost: number): Landing {
  const { remaining, bucket, delayMs, retryMs } = answer;
  if (answer.granted >= cost) return { kind: 'granted', bucket, delayMs };
  return remaining >= cost ? { kind: 'spared' } : { kind: 'refused', retryMs };
}
