import type { BusStats } from './event-bus.js';

/** The running counts behind {@link BusStats}. */
export class BusCounts {
  private readonly counts = { published: 0, dropped: 0, handled: 0, failed: 0 };

  add(what: keyof BusStats, messages = 1): void {
    this.counts[what] += messages;
  }

  read(): BusStats {
    return { ...this.counts };
  }
}
