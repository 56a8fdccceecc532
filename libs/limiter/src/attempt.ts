import { NEVER } from '@sluice/algorithms';
import type { Clock } from './clock.js';
import type { Verdict } from './decision-builder.js';
import type { Fallback } from './fallback.js';
import type { Lease } from './lease/lease.js';
import type { Answer, CounterStore } from './store/counter-store.js';
import { StoreFault } from './store/store-fault.js';
import type { Dispatcher } from './trip/dispatcher.js';
import type { Landing } from './trip/passenger.js';
import { granted, refused, STORE_AWAY } from './verdict.js';

export interface AttemptParts {
  readonly clock: Clock;
  readonly store: CounterStore;
  readonly dispatcher: Dispatcher;
  readonly fallback: Fallback;
}

/** How one limit was settled, and where the answer came from. */
interface Seat {
  readonly lease: Lease;
  source: 'local' | 'store' | 'fallback';
  landing: Landing | undefined;
}

/**
 * One request that needs at least one trip. Permits that the node holds are set aside first, so that nobody else spends them
 * meanwhile; then every limit that lacks some asks, all in one round trip. Allowed only if all grant; otherwise what was
 * granted stays with the node or goes back, and nothing is charged (R8).
 */
export class Attempt {
  private readonly seats: readonly Seat[];
  private missing: number;

  /** @param done called once, with a verdict for each lease; within {@link start} if no trip has to be waited for. */
  constructor(
    private readonly parts: AttemptParts,
    leases: readonly Lease[],
    private readonly cost: number,
    private readonly done: (verdicts: readonly Verdict[], nowMs: number) => void,
  ) {
    this.seats = leases.map((lease) => ({ lease, source: 'store', landing: undefined }));
    for (const lease of leases) lease.pins += 1;
    this.missing = leases.length;
  }

  start(nowMs: number): void {
    const exact = this.seats.filter(({ lease }) => !lease.strategy.leases);
    const asking = exact.length > 1 ? [] : [...exact];
    for (const seat of this.seats) {
      const { lease } = seat;
      if (!lease.strategy.leases) continue;
      if (this.parts.dispatcher.standing(lease, this.cost, nowMs) !== 'held') asking.push(seat);
      else {
        lease.balance -= this.cost;
        seat.source = 'local';
        this.settle(seat, { kind: 'granted', bucket: lease.bucket, delayMs: 0 });
      }
    }
    if (exact.length > 1) this.askTogether(exact);
    for (const seat of asking) {
      this.parts.dispatcher.board(seat.lease, { cost: this.cost, land: (landing) => this.settle(seat, landing) });
    }
  }

  /** Several exact limits: one atomic step over all of them, so that a refusal charges none even for an instant. */
  private askTogether(seats: readonly Seat[]): void {
    const asks = seats.map(({ lease: { key, quota } }) => ({ key, quota, need: this.cost, want: this.cost, backAmount: 0, backBucket: 0 }));
    void this.parts.dispatcher.askTogether(asks).then((answers) => {
      seats.forEach((seat, at) => {
        const answer = answers[at] ?? new StoreFault('rejected', 'the store left an ask unanswered');
        this.settle(seat, this.landingOf(seat.lease, answer));
      });
    });
  }

  private landingOf(lease: Lease, answer: Answer): Landing {
    if (answer instanceof StoreFault) return { kind: 'fault', fault: answer };
    lease.storeRemaining = answer.remaining;
    lease.resetAtMs = this.parts.clock.nowMs() + answer.resetMs;
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
    const verdicts = this.seats.map((each) => this.verdict(each, refuses, nowMs));
    for (const { lease } of this.seats) lease.pins -= 1;
    this.done(verdicts, nowMs);
  }

  private verdict({ lease, source, landing }: Seat, refuses: boolean, nowMs: number): Verdict {
    switch (landing?.kind) {
      case 'granted': {
        const { bucket, delayMs } = landing;
        if (refuses) {
          this.release(lease, source, bucket, nowMs);
          return granted(lease, source, undefined, 0, nowMs);
        }
        return granted(lease, source, { key: lease.key, quota: lease.quota, bucket, amount: this.cost }, delayMs, nowMs);
      }
      case 'spared':
        return granted(lease, source, undefined, 0, nowMs);
      case 'refused':
        return refused(lease, source, this.cost, landing.retryMs, nowMs);
      default:
        return STORE_AWAY;
    }
  }

  private release(lease: Lease, source: Seat['source'], bucket: number, nowMs: number): void {
    if (source === 'fallback') this.parts.fallback.giveBack(lease.key, lease.quota, this.cost, bucket);
    else this.parts.dispatcher.keep(lease, this.cost, bucket, nowMs);
  }

  /** R41: the rule says whether the node goes on by itself or refuses. */
  private withoutStore(seat: Seat): void {
    const { lease } = seat;
    if (seat.landing?.kind !== 'fault') return;
    seat.source = 'fallback';
    if (lease.rule.onStoreFailure === 'deny') return;
    const { granted: permits, bucket, delayMs, retryMs } = this.parts.fallback.take(lease.key, lease.quota, this.cost);
    // More than this node's share of the limit: only the store can say yes, so the caller may try again.
    if (retryMs === NEVER) return;
    seat.landing = permits > 0 ? { kind: 'granted', bucket, delayMs } : { kind: 'refused', retryMs };
  }
}
