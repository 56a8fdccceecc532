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
interface Seat {
  readonly applied: AppliedRule;
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

/**
 * One request that needs at least one trip. Permits that the node holds are set aside first, so that nobody else spends them
 * meanwhile; then every limit that lacks some asks, all in one round trip. Allowed only if all grant; otherwise what was
 * granted stays with the node or goes back, and nothing is charged (R8).
 */
export class Attempt {
  private readonly seats: readonly Seat[];
  private missing: number;

  /** @param done called once, with an outcome for each rule; within {@link start} if no trip has to be waited for. */
  constructor(
    private readonly parts: AttemptParts,
    applied: readonly AppliedRule[],
    leases: readonly Lease[],
    tours: readonly (ShardTour | undefined)[],
    private readonly cost: number,
    private readonly done: (policies: readonly PolicyOutcome[], nowMs: number) => void,
  ) {
    this.seats = applied.flatMap((one, at): Seat | readonly [] => {
      const lease = leases[at];
      return lease === undefined ? [] : { applied: one, lease, tour: tours[at], charged: lease, source: 'store', landing: undefined };
    });
    for (const { lease } of this.seats) lease.pins += 1;
    this.missing = this.seats.length;
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
    const { lease } = seat;
    if (this.parts.dispatcher.standing(lease, this.cost, nowMs) !== 'held') return false;
    lease.balance -= this.cost;
    seat.source = 'local';
    seat.spentAtMs = nowMs;
    this.settle(seat, { kind: 'granted', bucket: lease.bucket, delayMs: 0 });
    return true;
  }

  private board(seat: Seat): void {
    this.parts.dispatcher.board(seat.lease, { cost: this.cost, land: (landing) => this.land(seat, landing) });
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
    const settled = tour.landed(landing, this.cost, nowMs);
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
    const asks = seats.map(({ lease: { key, quota } }) => ({ key, quota, need: this.cost, want: this.cost, backAmount: 0, backBucket: 0 }));
    for (const { lease } of seats) this.parts.trips?.note(lease, [{ cost: this.cost }]);
    const sentAtMs = this.parts.clock.nowMs();
    void this.parts.dispatcher.askTogether(asks).then((answers) => {
      const landings = seats.map(({ lease }, at) => {
        const answer = answers[at] ?? new StoreFault('rejected', 'the store left an ask unanswered');
        if (answer instanceof StoreFault) return { kind: 'fault', fault: answer } satisfies Landing;
        this.learn(lease, asks[at]?.quota, answer, sentAtMs);
        return this.landingOf(answer);
      });
      const settled = seats.map((seat, at) => this.toured(seat, landings[at] ?? SPARED));
      // Nothing was charged, so all of them are asked again where one has gone on to another shard; of the others one that refuses ends it.
      const goesOn = settled.includes(undefined) && settled.every((landing) => landing === undefined || landing.kind === 'spared');
      if (goesOn) this.askTogether(seats);
      else seats.forEach((seat, at) => this.settle(seat, settled[at] ?? landings[at] ?? SPARED));
    });
  }

  /** What the store says of the counter, unless its rule has changed meanwhile so that other answers say more. */
  private learn(lease: Lease, quota: Quota | undefined, { remaining, resetMs, retryMs, bucket, bucketEndsInMs }: Outcome, sentAtMs: number): void {
    if (quota === undefined || !sameQuota(quota, lease.quota) || lease.credit?.isOpen === true) return;
    const nowMs = this.parts.clock.nowMs();
    // Held since the rule was one that leases.
    if (lease.balance > 0 && lease.bucket !== bucket) this.parts.dispatcher.returnBalance(lease);
    lease.storeRemaining = remaining;
    lease.resetAtMs = nowMs + resetMs;
    lease.hold(bucket, sentAtMs + bucketEndsInMs - 1);
    if (lease.terms.shard !== undefined && retryMs > 0) lease.refuse(this.cost, nowMs + retryMs, nowMs);
  }

  private landingOf(answer: Outcome): Landing {
    const { bucket, delayMs, retryMs } = answer;
    if (answer.granted >= this.cost) return { kind: 'granted', bucket, delayMs };
    return answer.remaining >= this.cost ? { kind: 'spared' } : { kind: 'refused', retryMs };
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

  private outcome({ applied, lease, tour, charged, source, landing, spentAtMs }: Seat, refuses: boolean, nowMs: number): PolicyOutcome {
    const seen = tour?.state ?? lease;
    switch (landing?.kind) {
      case 'granted': {
        const { bucket, delayMs } = landing;
        if (refuses) {
          if (source === 'fallback') this.parts.fallback.giveBack(charged.key, charged.quota, this.cost, bucket);
          else this.parts.dispatcher.keep(lease, this.cost, bucket, nowMs, spentAtMs);
          return granted(applied, seen, source, undefined, 0, nowMs);
        }
        return granted(applied, seen, source, { key: charged.key, quota: charged.quota, bucket, amount: this.cost }, delayMs, nowMs);
      }
      case 'spared':
        return granted(applied, seen, source, undefined, 0, nowMs);
      case 'refused':
        return refused(applied, seen, source, this.cost, landing.retryMs, nowMs);
      default:
        return storeAway(applied);
    }
  }

  /** R41: the rule says whether the node goes on by itself or refuses. */
  private withoutStore(seat: Seat): void {
    if (seat.landing?.kind !== 'fault') return;
    const { lease, tour } = seat;
    const { store, fallback, clock } = this.parts;
    // What the store is known to refuse it still refuses when it cannot be asked again.
    const knownMs = lease.strategy.leases ? lease.waitMs(this.cost, clock.nowMs()) : 0;
    if (knownMs > 0) {
      seat.source = 'local';
      seat.landing = { kind: 'refused', retryMs: knownMs };
      return;
    }
    const counter = tour === undefined ? lease : { key: tour.key, quota: tour.awayQuota((key) => store.stateOf?.(key) !== 'fine'), rule: lease.rule };
    seat.source = 'fallback';
    seat.charged = counter;
    seat.landing = withoutStore(fallback, counter, this.cost) ?? seat.landing;
  }
}
