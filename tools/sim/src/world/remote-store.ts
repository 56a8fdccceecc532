import { type Answer, type Ask, type CounterStore, type Debit, type GiveBack, StoreFault } from '@sluice/limiter';
import type { Random } from '../random.js';
import type { VirtualTime } from '../time/virtual-time.js';
import type { StoreLog } from './store-log.js';

/** Latency of one direction, ms: evenly distributed between the two, then never overtaking what was sent before on the connection. */
export interface Latency {
  readonly leastMs: number;
  readonly mostMs: number;
}

export interface RemoteStoreParts {
  readonly time: VirtualTime;
  readonly random: Random;
  readonly latency: Latency;
  /** The counters behind the network, by the store's own clock. */
  readonly counters: CounterStore;
  readonly log: StoreLog;
}

/**
 * The shared store as one node sees it: a connection over a network with latency, in order both ways, to counters that are
 * decided by the same pure algorithms as everywhere. One script run is counted for each question and each return.
 */
export class RemoteStore implements CounterStore {
  /** When the store decided what is being delivered right now: that is when those permits were charged. */
  decidedAtMs = 0;
  /** The node died: nothing leaves it and nothing reaches it any more. */
  cut = false;
  /** Permits that the store charged for this node and took back from it: the rest was spent here or is held. */
  charged = 0;
  private sentUntilMs = 0;
  private answeredUntilMs = 0;

  constructor(private readonly parts: RemoteStoreParts) {}

  take(asks: readonly Ask[]): Promise<readonly Answer[]> {
    return this.call(asks.length, async () => {
      const answers = await this.parts.counters.take(asks);
      for (const { backAmount } of asks) this.charged -= backAmount;
      for (const answer of answers) if (!(answer instanceof StoreFault)) this.charged += answer.granted;
      return answers;
    });
  }

  takeAll(asks: readonly Ask[]): Promise<readonly Answer[]> {
    return this.call(1, () => this.parts.counters.takeAll(asks));
  }

  giveBack(returns: readonly GiveBack[]): Promise<readonly (number | StoreFault)[]> {
    this.parts.log.returns += returns.length;
    return this.call(returns.length, () => {
      for (const { amount } of returns) this.charged -= amount;
      return this.parts.counters.giveBack(returns);
    });
  }

  charge(debits: readonly Debit[]): Promise<readonly Answer[]> {
    return this.call(debits.length, () => this.parts.counters.charge(debits));
  }

  reserve(key: string, record: string, ttlMs: number): Promise<StoreFault | undefined> {
    return this.call(1, () => this.parts.counters.reserve(key, record, ttlMs));
  }

  claim(key: string, claimant: string): Promise<string | undefined | StoreFault> {
    return this.call(1, () => this.parts.counters.claim(key, claimant));
  }

  async reset(): Promise<void> {
    // No scenario resets a counter.
  }

  async close(): Promise<void> {
    // The counters outlive the connection of one node.
  }

  private call<T>(runs: number, decide: () => Promise<T>): Promise<T> {
    const { time, log } = this.parts;
    return new Promise((resolve) => {
      if (this.cut) return;
      this.sentUntilMs = Math.max(this.sentUntilMs, time.nowMs + this.latencyMs());
      time.after(this.sentUntilMs - time.nowMs, () => {
        for (let run = 0; run < runs; run += 1) log.runs.push(time.nowMs);
        void decide().then((answer) => this.deliver(time.nowMs, () => resolve(answer)));
      });
    });
  }

  private deliver(decidedAtMs: number, hand: () => void): void {
    const { time } = this.parts;
    this.answeredUntilMs = Math.max(this.answeredUntilMs, decidedAtMs + this.latencyMs());
    time.after(this.answeredUntilMs - decidedAtMs, () => {
      if (this.cut) return;
      this.decidedAtMs = decidedAtMs;
      hand();
    });
  }

  private latencyMs(): number {
    const { random, latency } = this.parts;
    return latency.leastMs + (latency.mostMs - latency.leastMs) * random();
  }
}
