import type { Answer, Ask, CounterStore, Debit, GiveBack, ServerState, StoreFault } from '../../src/index.js';
import { Breakers } from '../../src/store/breakers.js';
import { LEFT_ALONE } from '../../src/store/store-fault.js';

const SERVER = 'remote';

/** A store across a network: the real one behind it and behind a breaker, reached only by promises, and counted. `hold` keeps answers back. */
export class Remote implements CounterStore {
  trips = 0;
  asks: Ask[] = [];
  returns: GiveBack[] = [];
  fault: StoreFault | undefined;
  private gate: Promise<void> = Promise.resolve();

  private readonly breakers: Breakers;

  constructor(
    private readonly store: CounterStore,
    nowMs: () => number = () => 0,
  ) {
    this.breakers = new Breakers({ nowMs, random: () => 0.5 }, () => undefined);
  }

  stateOf(): ServerState {
    return this.breakers.stateOf(SERVER);
  }

  /** Answers wait until the returned function is called. */
  hold(): () => void {
    let open: () => void = () => undefined;
    this.gate = new Promise((resolve) => (open = resolve));
    return open;
  }

  async take(asks: readonly Ask[]): Promise<readonly Answer[]> {
    const trip = this.breakers.depart(SERVER);
    if (trip === undefined) return asks.map(() => LEFT_ALONE);
    trip.add({ expire: () => undefined });
    trip.leave();
    this.trips += 1;
    this.asks.push(...asks.filter(({ want }) => want > 0));
    const { fault } = this;
    trip.landed(fault === undefined);
    if (fault !== undefined) return asks.map(() => fault);
    const answers = await this.store.take(asks);
    await this.gate;
    return answers;
  }

  async takeAll(asks: readonly Ask[]): Promise<readonly Answer[]> {
    this.trips += 1;
    this.asks.push(...asks);
    const answers = await this.store.takeAll(asks);
    await this.gate;
    return answers;
  }

  giveBack(returns: readonly GiveBack[]): Promise<readonly (number | StoreFault)[]> {
    this.returns.push(...returns);
    return this.store.giveBack(returns);
  }

  async charge(debits: readonly Debit[]): Promise<readonly Answer[]> {
    const { fault } = this;
    return fault === undefined ? this.store.charge(debits) : debits.map(() => fault);
  }

  async reserve(key: string, record: string, ttlMs: number): Promise<StoreFault | undefined> {
    return this.fault ?? this.store.reserve(key, record, ttlMs);
  }

  async claim(key: string, claimant: string): Promise<string | undefined | StoreFault> {
    return this.fault ?? this.store.claim(key, claimant);
  }

  reset(keys: readonly string[]): Promise<void> {
    return this.store.reset(keys);
  }

  close(): Promise<void> {
    return this.store.close();
  }
}
