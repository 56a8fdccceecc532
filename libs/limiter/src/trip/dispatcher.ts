import type { Outcome } from '@sluice/algorithms';
import type { Clock } from '../clock.js';
import type { LeasePlan, LeaseSizing } from '../lease/lease-sizing.js';
import type { IdleWheel } from '../lease/idle-wheel.js';
import { MAX_BALANCE, type Lease } from '../lease/lease.js';
import { sameQuota } from '../lease/terms.js';
import type { LimiterStats } from '../limiter-stats.js';
import type { ServerState } from '../store/breaker.js';
import type { Answer, Ask, CounterStore } from '../store/counter-store.js';
import { LEFT_ALONE, StoreFault } from '../store/store-fault.js';
import { type Asking, askingOf } from './asking.js';
import type { GiveBackQueue } from './give-back-queue.js';
import type { Passenger } from './passenger.js';

export interface DispatcherParts {
  readonly store: CounterStore;
  readonly clock: Clock;
  readonly sizing: LeaseSizing;
  readonly wheel: IdleWheel;
  readonly returns: GiveBackQueue;
  readonly stats: LimiterStats;
  /** Ceiling of a lease where the rule names none. */
  readonly maxLease: number;
}

const OFFSET_NOISE_MS = 5;

/** One trip to the store for one counter, shared by everybody who waits for it. */
interface Flight {
  readonly lease: Lease;
  readonly passengers: readonly Passenger[];
  /** Whether it holds up others of its counter; as the rule said when it was made, whatever it says on landing. */
  readonly shared: boolean;
}

/**
 * Brings requests that need permits to the store: one trip a key at a time, shared by all who wait (single flight), and all
 * trips of one tick in one round trip (R22). Whoever comes while a trip is in the air takes the next one, if what came back
 * does not serve them; so no request takes part in two asks of one counter (R21).
 */
export class Dispatcher {
  private readonly ready: Flight[] = [];
  private flushDue = false;
  private closed = false;
  /** Trips in the air, and who waits for the next one to land. */
  private out = 0;
  private landed: (() => void) | undefined;
  private readonly ask: Asking;

  constructor(private readonly parts: DispatcherParts) {
    this.ask = askingOf(parts.store);
  }

  /** Calls `passenger.land` exactly once: at once on a store at hand, else when the trip is back. */
  board(lease: Lease, passenger: Passenger): void {
    const { leases, shares } = lease.strategy;
    // Without leases nothing may be charged beyond what is used, and of a shared grant a greater cost may leave a rest.
    if (!shares || (!leases && passenger.cost > 1)) {
      this.depart({ lease, passengers: [passenger], shared: false });
    } else if (lease.collecting !== undefined) {
      lease.collecting.push(passenger);
    } else {
      lease.collecting = [passenger];
      if (!lease.flying) this.depart({ lease, passengers: lease.collecting, shared: true });
    }
  }

  /** Several counters in one atomic step, all or none; shares no trip with others (R8). */
  async askTogether(asks: readonly Ask[]): Promise<readonly Answer[]> {
    const answers = await this.track(this.parts.store.takeAll(asks));
    const asked = answers.filter((answer) => !wasNotAsked(answer)).length;
    this.parts.stats.asks += asked;
    if (asked > 0) this.parts.stats.trips += 1;
    return answers;
  }

  /** Reads counters in one trip; nothing is charged. */
  read(asks: readonly Ask[]): Promise<readonly Answer[]> {
    return this.track(this.parts.store.take(asks));
  }

  /** Waits for every trip in the air; from then on nothing is held (R44). */
  async close(): Promise<void> {
    this.closed = true;
    while (this.flushDue || this.out > 0) {
      if (this.out > 0) await new Promise<void>((resolve) => (this.landed = resolve));
      await Promise.resolve();
    }
  }

  private async track(trip: Promise<readonly Answer[]>): Promise<readonly Answer[]> {
    this.out += 1;
    const answers = await trip;
    for (const answer of answers) this.count(answer);
    this.touchDown();
    return answers;
  }

  private count(answer: Answer): void {
    if (answer instanceof StoreFault && !wasNotAsked(answer)) this.parts.stats.faults += 1;
  }

  private touchDown(): void {
    this.out -= 1;
    this.landed?.();
  }

  private depart(flight: Flight): void {
    const { store } = this.parts;
    if (store.takeNow !== undefined) {
      const { ask, plan } = this.checkIn(flight, 'fine');
      this.parts.stats.trips += 1;
      this.land(flight, ask, plan, store.takeNow(ask), this.parts.clock.nowMs());
      return;
    }
    this.ready.push(flight);
    if (this.flushDue) return;
    this.flushDue = true;
    queueMicrotask(() => this.flush());
  }

  private flush(): void {
    this.flushDue = false;
    const flights = this.ready.splice(0);
    const sentAtMs = this.parts.clock.nowMs();
    let sent = false;
    for (const flight of flights) {
      const server = this.parts.store.stateOf?.(flight.lease.key) ?? 'fine';
      if (server === 'open') {
        this.ground(flight);
        continue;
      }
      const { ask, plan } = this.checkIn(flight, server);
      sent = true;
      this.out += 1;
      this.ask(ask, (answer) => {
        this.count(answer);
        this.land(flight, ask, plan, answer, sentAtMs);
        this.touchDown();
      });
    }
    if (sent) this.parts.stats.trips += 1;
  }

  /** A flight that does not take off: everybody hears of the fault, and nobody has waited for it. */
  private ground({ lease, passengers, shared }: Flight): void {
    if (shared) lease.collecting = undefined;
    for (const { land } of passengers) land({ kind: 'fault', fault: LEFT_ALONE });
  }

  /** Closes a flight to newcomers and says what it asks for. */
  private checkIn(flight: Flight, server: ServerState): { ask: Ask; plan: LeasePlan } {
    const { lease, passengers, shared } = flight;
    const { sizing, clock, stats, maxLease } = this.parts;
    const { strategy } = lease;
    if (shared) {
      lease.flying = true;
      lease.collecting = undefined;
    }
    let need = Number.MAX_SAFE_INTEGER;
    let sum = 0;
    for (const { cost } of passengers) {
      need = Math.min(need, cost);
      sum = Math.min(sum + cost, Number.MAX_SAFE_INTEGER);
    }
    const plan = sizing.plan(lease.situation(sum, clock.nowMs()));
    // What a server that hangs was sent may still run, so it is kept little (known failure 25).
    const ahead = strategy.leases && server === 'fine' ? plan.want : 0;
    const want = Math.max(sum, Math.min(ahead, lease.rule.maxLease ?? maxLease, MAX_BALANCE));
    const backAmount = lease.balance;
    lease.balance = 0;
    stats.asks += 1;
    stats.returned += backAmount;
    return { plan, ask: { key: lease.key, quota: lease.quota, need, want, backAmount, backBucket: lease.bucket } };
  }

  private land(flight: Flight, ask: Ask, plan: LeasePlan, answer: Answer, sentAtMs: number): void {
    const { lease } = flight;
    if (flight.shared) lease.flying = false;
    if (answer instanceof StoreFault) {
      this.parts.stats.lost += ask.backAmount;
      for (const { land } of flight.passengers) land({ kind: 'fault', fault: answer });
    } else {
      this.shareOut(flight, ask, plan, answer, sentAtMs);
    }
    this.serveCollected(lease);
  }

  private shareOut(flight: Flight, ask: Ask, plan: LeasePlan, outcome: Outcome, sentAtMs: number): void {
    const { lease, passengers } = flight;
    const { clock, stats } = this.parts;
    const nowMs = clock.nowMs();
    stats.granted += outcome.granted;
    this.noteOffset(outcome.nowMs - Math.round((sentAtMs + nowMs) / 2));
    if (lease.balance > 0 && lease.bucket !== outcome.bucket) this.returnBalance(lease);
    // A quota that changed while the trip was in the air: what it says about the counter is of the old one.
    if (sameQuota(lease.quota, ask.quota)) lease.learn(outcome, ask.need, ask.want, plan, sentAtMs, nowMs, stats.storeOffsetMs);
    let left = outcome.granted;
    for (const { cost, land } of passengers) {
      if (cost <= left) {
        left -= cost;
        land({ kind: 'granted', bucket: outcome.bucket, delayMs: outcome.delayMs });
      } else {
        const retryMs = cost === ask.need ? outcome.retryMs : Math.max(outcome.retryMs, outcome.resetMs);
        land({ kind: 'refused', retryMs: Math.max(retryMs, lease.waitMs(cost, nowMs), 1) });
      }
    }
    if (left > 0) this.keep(lease, left, outcome.bucket, nowMs);
  }

  /** What a trip says of the store's clock is right to some ms: smaller changes are noise, which would make reset times flicker (R6). */
  private noteOffset(offsetMs: number): void {
    const { stats } = this.parts;
    if (Math.abs(offsetMs - stats.storeOffsetMs) > OFFSET_NOISE_MS) stats.storeOffsetMs = offsetMs;
  }

  /** Unspent permits: to the lease while they are good, else back. */
  keep(lease: Lease, amount: number, bucket: number, nowMs: number): void {
    if (!this.closed && lease.strategy.leases && lease.putBack(amount, bucket, nowMs)) this.parts.wheel.watch(lease, nowMs);
    else this.sendBack(lease, amount, bucket);
  }

  /** Sends unspent permits back to the bucket that they were charged to. */
  returnBalance(lease: Lease): void {
    if (lease.balance === 0) return;
    this.sendBack(lease, lease.balance, lease.bucket);
    lease.balance = 0;
  }

  private sendBack(lease: Lease, amount: number, bucket: number): void {
    this.parts.returns.push({ key: lease.key, quota: lease.quota, amount, bucket });
    lease.makeRoom();
  }

  private serveCollected(lease: Lease): void {
    const { collecting } = lease;
    if (collecting === undefined || lease.flying) return;
    const nowMs = this.parts.clock.nowMs();
    const { leases } = lease.strategy;
    const waiting: Passenger[] = [];
    for (const passenger of collecting) {
      const standing = leases ? lease.standing(passenger.cost, nowMs) : 'ask';
      if (standing === 'held') {
        lease.balance -= passenger.cost;
        passenger.land({ kind: 'granted', bucket: lease.bucket, delayMs: 0 });
      } else if (standing === 'dry') {
        passenger.land({ kind: 'refused', retryMs: Math.max(1, lease.waitMs(passenger.cost, nowMs)) });
      } else {
        waiting.push(passenger);
      }
    }
    lease.collecting = undefined;
    if (waiting.length === 0) return;
    lease.collecting = waiting;
    this.depart({ lease, passengers: waiting, shared: true });
  }
}

function wasNotAsked(answer: Answer): boolean {
  return answer instanceof StoreFault && answer.kind === 'open';
}
