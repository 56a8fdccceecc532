import type { Outcome } from '@sluice/algorithms';
import type { Credits } from '../approximate/credits.js';
import type { Clock } from '../clock.js';
import type { LeaseSizing } from '../lease/lease-sizing.js';
import type { IdleWheel } from '../lease/idle-wheel.js';
import { MAX_BALANCE, type Lease } from '../lease/lease.js';
import type { Standing } from '../lease/lease-state.js';
import { sameQuota } from '../lease/terms.js';
import type { LimiterStats } from '../limiter-stats.js';
import type { ServerState } from '../store/breaker.js';
import type { Answer, Ask, CounterStore } from '../store/counter-store.js';
import { answersOf } from '../store/answers-of.js';
import { LEFT_ALONE, StoreFault, wasNotAsked } from '../store/store-fault.js';
import { type Asking, askingOf } from './asking.js';
import { Flight, type Tower } from './flight.js';
import type { TripCounts } from '../split/trip-counts.js';
import type { GiveBackQueue } from './give-back-queue.js';
import type { Passenger } from './passenger.js';
import { noteOffset } from './store-offset.js';
import { Unspent } from './unspent.js';
import { widerWaitMs } from './wider-wait.js';

export interface DispatcherParts {
  readonly store: CounterStore;
  readonly clock: Clock;
  readonly sizing: LeaseSizing;
  readonly wheel: IdleWheel;
  readonly returns: GiveBackQueue;
  readonly credits: Credits;
  readonly stats: LimiterStats;
  /** Counts trips by counter; absent: nobody asks. */
  readonly trips?: TripCounts | undefined;
  /** Ceiling of a lease where the rule names none. */
  readonly maxLease: number;
}

/**
 * Brings requests that need permits to the store: one trip a key at a time, shared by all who wait (single flight), and all
 * trips of one tick in one round trip (R22). Whoever comes while a trip is in the air takes the next one, if what came back
 * does not serve them; so no request takes part in two asks of one counter (R21).
 */
export class Dispatcher implements Tower {
  private ready: Flight[] = [];
  private flushDue = false;
  /** Trips in the air, and who waits for the next one to land. */
  private out = 0;
  private touchedDown: (() => void) | undefined;
  private closed = false;
  private readonly ask: Asking;
  private readonly unspent: Unspent;

  constructor(private readonly parts: DispatcherParts) {
    this.ask = askingOf(parts.store);
    this.unspent = new Unspent(parts.wheel, parts.returns, parts.credits);
  }

  /** What a lease can say of this cost, with what it may admit on credit (R29). */
  standing(lease: Lease, cost: number, nowMs: number): Standing {
    const standing = lease.standing(cost, nowMs);
    return standing === 'ask' && this.parts.credits.draw(lease, cost, nowMs) ? 'held' : standing;
  }

  /** Calls `passenger.land` exactly once: at once on a store at hand, else when the trip is back. */
  board(lease: Lease, passenger: Passenger): void {
    const { leases, shares } = lease.strategy;
    // Without leases nothing may be charged beyond what is used, and of a shared grant a greater cost may leave a rest.
    if (!shares || (!leases && passenger.cost > 1)) {
      this.depart(new Flight(this, lease, [passenger], false));
    } else if (lease.collecting !== undefined) {
      lease.collecting.push(passenger);
    } else {
      lease.collecting = [passenger];
      if (!lease.flying) this.depart(new Flight(this, lease, lease.collecting, true));
    }
  }

  /** Several counters in one atomic step, all or none; shares no trip with others (R8). */
  async askTogether(asks: readonly Ask[]): Promise<readonly Answer[]> {
    const answers = await this.track(asks, () => this.parts.store.takeAll(asks));
    const asked = answers.filter((answer) => !wasNotAsked(answer)).length;
    this.parts.stats.asks += asked;
    if (asked > 0) this.parts.stats.trips += 1;
    return answers;
  }

  /** Reads counters in one trip; nothing is charged. */
  read(asks: readonly Ask[]): Promise<readonly Answer[]> {
    return this.track(asks, () => this.parts.store.take(asks), !this.closed);
  }

  /** Waits for every trip in the air, not for reads that come later; from then on nothing is held (R44). */
  async close(): Promise<void> {
    this.closed = true;
    this.unspent.close();
    while (this.flushDue || this.out > 0) {
      if (this.out > 0) await new Promise<void>((resolve) => (this.touchedDown = resolve));
      await Promise.resolve();
    }
  }

  /** @param awaited whether {@link close} waits for it. */
  private async track(asks: readonly Ask[], send: () => Promise<readonly Answer[]>, awaited = true): Promise<readonly Answer[]> {
    if (awaited) this.out += 1;
    const answers = await answersOf(asks.length, send);
    for (const answer of answers) this.count(answer);
    if (awaited) this.touchDown();
    return answers;
  }

  private count(answer: Answer): void {
    if (answer instanceof StoreFault && !wasNotAsked(answer)) this.parts.stats.faults += 1;
  }

  private touchDown(): void {
    this.out -= 1;
    this.touchedDown?.();
  }

  private depart(flight: Flight): void {
    const { store } = this.parts;
    if (store.takeNow !== undefined) {
      this.checkIn(flight, 'fine', this.parts.clock.nowMs());
      this.parts.stats.trips += 1;
      this.land(flight, store.takeNow(flight));
      return;
    }
    this.ready.push(flight);
    if (this.flushDue) return;
    this.flushDue = true;
    queueMicrotask(this.flush);
  }

  private readonly flush = (): void => {
    this.flushDue = false;
    const flights = this.ready;
    this.ready = [];
    const sentAtMs = this.parts.clock.nowMs();
    let sent = false;
    for (const flight of flights) {
      const server = this.parts.store.stateOf?.(flight.lease.key) ?? 'fine';
      if (server === 'open') {
        this.ground(flight);
        continue;
      }
      this.checkIn(flight, server, sentAtMs);
      sent = true;
      this.out += 1;
      this.ask(flight, flight);
    }
    if (sent) this.parts.stats.trips += 1;
  };

  landed(flight: Flight, answer: Answer): void {
    this.count(answer);
    this.land(flight, answer);
    this.touchDown();
  }

  /** A flight that does not take off: everybody hears of the fault, and nobody has waited for it. */
  private ground({ lease, passengers, shared }: Flight): void {
    if (shared) lease.collecting = undefined;
    for (const passenger of passengers) passenger.land({ kind: 'fault', fault: LEFT_ALONE });
  }

  /** Closes a flight to newcomers and settles what it asks for. */
  private checkIn(flight: Flight, server: ServerState, nowMs: number): void {
    const { lease } = flight;
    const { sizing, stats, maxLease } = this.parts;
    this.parts.credits.handOver(lease);
    const sum = flight.close();
    this.parts.trips?.note(lease, flight.passengers);
    // Who asks every time has nothing to plan. And what a server that hangs was sent may still run, so it is kept little (known failure 25).
    if (lease.strategy.leases) flight.plan = sizing.plan(lease.situation(sum, nowMs));
    const ahead = server === 'fine' ? flight.plan.want : 0;
    flight.want = Math.max(sum, Math.min(ahead, lease.rule.maxLease ?? maxLease, lease.terms.mostAhead, MAX_BALANCE));
    flight.backAmount = lease.balance;
    flight.backBucket = lease.bucket;
    flight.sentAtMs = nowMs;
    lease.balance = 0;
    stats.asks += 1;
    stats.returned += flight.backAmount;
  }

  private land(flight: Flight, answer: Answer): void {
    const { lease } = flight;
    const nowMs = this.parts.clock.nowMs();
    // Its passengers let go of it one by one, and what is left over is for it.
    lease.pins += 1;
    if (flight.shared) lease.flying = false;
    if (answer instanceof StoreFault) {
      this.parts.stats.lost += flight.backAmount;
      for (const passenger of flight.passengers) passenger.land({ kind: 'fault', fault: answer });
    } else {
      this.shareOut(flight, answer, nowMs);
    }
    // Who collects behind a flight of his own has one under way already.
    if (flight.shared) this.serveCollected(lease, nowMs);
    this.parts.wheel.unpin(lease, nowMs);
  }

  private shareOut(flight: Flight, outcome: Outcome, nowMs: number): void {
    const { lease, need, want, plan, sentAtMs } = flight;
    const { stats } = this.parts;
    stats.granted += outcome.granted;
    noteOffset(stats, outcome.nowMs, sentAtMs, nowMs);
    if (lease.balance > 0 && lease.bucket !== outcome.bucket) this.returnBalance(lease);
    // A quota that changed while the trip was in the air: what it says about the counter is of the old one.
    if (sameQuota(lease.quota, flight.quota)) lease.learn(outcome, need, want, plan, sentAtMs, nowMs, stats.storeOffsetMs);
    let left = outcome.granted;
    for (const passenger of flight.passengers) {
      const { cost } = passenger;
      if (cost <= left) {
        left -= cost;
        passenger.land({ kind: 'granted', bucket: outcome.bucket, delayMs: outcome.delayMs });
      } else {
        const retryMs = widerWaitMs(cost, need, flight.quota, outcome);
        passenger.land({ kind: 'refused', retryMs: Math.max(retryMs, lease.waitMs(cost, nowMs), 1) });
      }
    }
    if (left > 0) this.keep(lease, left, outcome.bucket, nowMs);
  }

  keep(lease: Lease, amount: number, bucket: number, nowMs: number, spentAtMs?: number): void {
    this.unspent.keep(lease, amount, bucket, nowMs, spentAtMs);
  }

  returnBalance(lease: Lease): void {
    this.unspent.returnBalance(lease);
  }

  private serveCollected(lease: Lease, nowMs: number): void {
    const { collecting, strategy } = lease;
    if (collecting === undefined || lease.flying) return;
    const waiting: Passenger[] = [];
    for (const passenger of collecting) {
      const standing = strategy.leases ? this.standing(lease, passenger.cost, nowMs) : 'ask';
      if (standing === 'held') {
        lease.balance -= passenger.cost;
        passenger.land({ kind: 'granted', bucket: lease.bucket, delayMs: 0 });
      } else if (standing === 'dry') {
        passenger.land({ kind: 'refused', retryMs: Math.max(1, lease.waitMs(passenger.cost, nowMs)) });
      } else {
        waiting.push(passenger);
      }
    }
    lease.collecting = waiting.length > 0 ? waiting : undefined;
    if (waiting.length > 0) this.depart(new Flight(this, lease, waiting, true));
  }
}
