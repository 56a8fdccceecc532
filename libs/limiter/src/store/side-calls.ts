import type { Usage } from '@sluice/algorithms';
import type { LimiterStats } from '../limiter-stats.js';
import type { ServerState } from './breaker.js';
import type { Answer, Ask, Counted, CounterStore, Debit, GiveBack, Heard, Heartbeat } from './counter-store.js';
import { answersOf } from './answers-of.js';
import { StoreFault } from './store-fault.js';
import { toFault } from './to-fault.js';

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
    if (heartbeat !== undefined) this.heartbeat = (beat) => this.watched(() => heartbeat(beat));
    const usage = store.usage?.bind(store);
    if (usage !== undefined) this.usage = (counters) => this.all(counters.length, () => usage(counters));
    const claimMove = store.claimMove?.bind(store);
    if (claimMove !== undefined) this.claimMove = (...move) => this.watched(() => claimMove(...move));
  }

  stateOf(key: string): ServerState {
    return this.store.stateOf?.(key) ?? 'fine';
  }

  take(asks: readonly Ask[]): Promise<readonly Answer[]> {
    return this.all(asks.length, () => this.store.take(asks));
  }

  takeAll(asks: readonly Ask[]): Promise<readonly Answer[]> {
    return this.all(asks.length, () => this.store.takeAll(asks));
  }

  giveBack(returns: readonly GiveBack[]): Promise<readonly (number | StoreFault)[]> {
    return this.all(returns.length, () => this.store.giveBack(returns));
  }

  charge(debits: readonly Debit[], late?: Parameters<CounterStore['charge']>[1]): Promise<readonly Answer[]> {
    return this.all(debits.length, () => this.store.charge(debits, late));
  }

  reserve(key: string, record: string, ttlMs: number): Promise<StoreFault | undefined> {
    return this.watched(() => this.store.reserve(key, record, ttlMs));
  }

  claim(key: string, claimant: string): Promise<string | undefined | StoreFault> {
    return this.watched(() => this.store.claim(key, claimant));
  }

  reset(keys: readonly string[]): Promise<void> {
    return this.store.reset(keys);
  }

  close(): Promise<void> {
    return this.store.close();
  }

  private async watched<T>(send: () => Promise<T>): Promise<T | StoreFault> {
    let answer: T | StoreFault;
    try {
      answer = await send();
    } catch (reason) {
      answer = toFault(reason);
    }
    this.count(answer);
    return answer;
  }

  private async all<T>(questions: number, send: () => Promise<readonly T[]>): Promise<readonly (T | StoreFault)[]> {
    const answers = await answersOf(questions, send);
    for (const answer of answers) this.count(answer);
    return answers;
  }

  private count(answer: unknown): void {
    if (answer instanceof StoreFault && answer.kind !== 'open') this.stats.sideFaults += 1;
  }
}
