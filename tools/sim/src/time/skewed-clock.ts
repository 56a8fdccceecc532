import type { Clock } from '@sluice/limiter';
import type { VirtualTime } from './virtual-time.js';

/** Wall clock at the start of every simulation: the start of a minute, of a second, and of each window that divides a minute. */
export const EPOCH_MS = 1_767_225_600_000;

/** The clock of one machine: wrong by `offsetMs`, with timers. All machines go equally fast. */
export class SkewedClock implements Clock {
  /** A machine that was switched off ticks no more. */
  off = false;

  constructor(
    private readonly time: VirtualTime,
    private readonly offsetMs: number,
  ) {}

  nowMs(): number {
    return this.at(this.time.nowMs);
  }

  /** What this clock shows at a moment of the simulated world. */
  at(virtualMs: number): number {
    return Math.floor(EPOCH_MS + this.offsetMs + virtualMs);
  }

  every(periodMs: number, task: () => void): () => void {
    let stopped = false;
    const tick = (): void => {
      if (stopped || this.off) return;
      task();
      this.time.after(periodMs, tick);
    };
    this.time.after(periodMs, tick);
    return () => (stopped = true);
  }
}
