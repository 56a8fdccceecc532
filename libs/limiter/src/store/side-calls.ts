import type { Usage } from '@sluice/algorithms';
import type { LimiterStats } from '../limiter-stats.js';
import type { ServerState } from './breaker.js';
import type { Answer, Ask, Counted, CounterStore, Debit, GiveBack, Heard, Heartbeat } from './counter-store.js';
import { StoreFault } from './store-fault.js';

/**
 * A store for all calls but those that decide: settlements, debts, reports, what goes back, moves of split counters, signs of life. Each of them
 * that was sent and not answered is counted in {@link LimiterStats.sideFaults}, whoever made it, so that nothing is lost in silence.
 */
export class SideCalls implements CounterStore {
  readonly heartbeat?: (beat: Heartbeat) => Promise<Heard | StoreFault>;
  readonly usage?: (counters: readonly Counted[]) => Promise<readonly (Usage | StoreFault)[]>;
  readonly claimMove?: (key: string, counter: string, step: string, nodeId: string) => Promise<boolean | StoreFault>;
  readonly spreads: boolean;

  constructor(
    private readonly store: CounterStore,
    private readonly stats: Pick<LimiterStats, 'sideFaults'>,
  ) {
    this.spreads = store.spreads === true;
    const heartbeat = store.heartbeat?.bind(store);
    if (heartbeat !== undefined) this.heartbeat = (beat) => this.watched(heartbeat(beat));
    const usage = store.usage?.bind(store);
    if (usage !== undefined) this.usage = (counters) => this.watched(usage(counters));
    const claimMove = store.claimMove?.bind(store);
    if (claimMove !== undefined) this.claimMove = (...move) => this.watched(claimMove(...move));
  }

  stateOf(key: string): ServerState {
    return this.store.stateOf?.(key) ?? 'fine';
  }

  take(asks: readonly Ask[]): Promise<readonly Answer[]> {
    return this.watched(this.store.take(asks));
  }

  takeAll(asks: readonly Ask[]): Promise<readonly Answer[]> {
    return this.watched(this.store.takeAll(asks));
  }

  giveBack(returns: readonly GiveBack[]): Promise<readonly (number | StoreFault)[]> {
    return this.watched(this.store.giveBack(returns));
  }

  charge(debits: readonly Debit[], late?: Parameters<CounterStore['charge']>[1]): Promise<readonly Answer[]> {
    return this.watched(this.store.charge(debits, late));
  }

  reserve(key: string, record: string, ttlMs: number): Promise<StoreFault | undefined> {
    return this.watched(this.store.reserve(key, record, ttlMs));
  }

  claim(key: string, claimant: string): Promise<string | undefined | StoreFault> {
    return this.watched(this.store.claim(key, claimant));
  }

  reset(keys: readonly string[]): Promise<void> {
    return this.watched(this.store.reset(keys));
  }

  close(): Promise<void> {
    return this.store.close();
  }

  /** The same promise, so that its callers hear no later than without. */
  private watched<T>(answer: Promise<T>): Promise<T> {
    const count = (value: unknown): void => {
      for (const each of Array.isArray(value) ? value : [value]) if (each instanceof StoreFault && each.kind !== 'open') this.stats.sideFaults += 1;
    };
    answer.then(count, count);
    return answer;
  }
}
