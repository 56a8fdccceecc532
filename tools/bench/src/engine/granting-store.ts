import type { Outcome } from '@sluice/algorithms';
import type { Answer, Ask, CounterStore } from '@sluice/limiter';

/** Grants whatever is wanted, holds nothing: so that the engine alone is measured, its time and its memory. */
export class GrantingStore implements CounterStore {
  takeNow(ask: Ask): Outcome {
    return {
      granted: ask.want,
      remaining: 1_000_000,
      retryMs: 0,
      resetMs: 3_600_000,
      bucket: 1,
      bucketEndsInMs: 3_600_000,
      nowMs: Date.now(),
      delayMs: 0,
    };
  }

  take(asks: readonly Ask[]): Promise<readonly Answer[]> {
    return Promise.resolve(asks.map((ask) => this.takeNow(ask)));
  }

  takeAll(asks: readonly Ask[]): Promise<readonly Answer[]> {
    return this.take(asks);
  }

  giveBack(): Promise<readonly number[]> {
    return Promise.resolve([]);
  }

  charge(): Promise<readonly Answer[]> {
    return Promise.resolve([]);
  }

  reserve(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  claim(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  reset(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
