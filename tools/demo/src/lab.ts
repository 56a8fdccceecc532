import type { Clock, CounterStore } from '@sluice/limiter';

/** Where the facts are shown: a store, and a clock that each fact moves by itself, so that every run prints the same. */
export interface Lab {
  readonly store: CounterStore;
  readonly clock: Clock & { set(nowMs: number): void };
  /** Rule ids of one run, so that runs on one Redis do not meet. */
  readonly run: string;
}

/** One fact: a title, and lines found out by doing it. */
export interface Fact {
  readonly title: string;
  show(lab: Lab): Promise<readonly string[]>;
}
