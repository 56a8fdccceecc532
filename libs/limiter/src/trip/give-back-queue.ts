import type { LimiterStats } from '../limiter-stats.js';
import type { Breaker } from '../store/breaker.js';
import type { CounterStore, GiveBack } from '../store/counter-store.js';

/** Permits on their way back, off the request path: what one tick returns goes out in one trip. */
export class GiveBackQueue {
  private queue: GiveBack[] = [];
  private sending: Promise<void> = Promise.resolve();

  constructor(
    private readonly store: CounterStore,
    private readonly stats: LimiterStats,
    private readonly breaker: Breaker,
  ) {}

  push(entry: GiveBack): void {
    this.stats.returned += entry.amount;
    if (this.queue.push(entry) > 1) return;
    queueMicrotask(() => this.send());
  }

  /** Resolves when everything pushed so far has reached the store, or the store did not take it. */
  async drained(): Promise<void> {
    this.send();
    await this.sending;
  }

  private send(): void {
    const batch = this.queue;
    if (batch.length === 0) return;
    this.queue = [];
    if (this.breaker.open) {
      // They would only pile up before a store that does not listen; in their bucket they run out by themselves.
      for (const { amount } of batch) this.stats.lost += amount;
      return;
    }
    const sent = this.store.giveBack(batch);
    this.sending = Promise.all([this.sending, sent]).then(() => undefined);
  }
}
