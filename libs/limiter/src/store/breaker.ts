import type { Clock } from '../clock.js';
import { StoreFault } from './store-fault.js';

/** Trips in a row that must fail before no more are made. */
const OPEN_AFTER = 5;
/** How long until one trip is made to see whether the store is back, ms. */
const PROBE_MS = 500;

/**
 * Keeps a node from asking a store that does not answer (R40): after some failed trips in a row none is made, but for one each half
 * second. What was sent to a store that hangs may still run when it comes to, so it is kept little: while the last trip failed, nothing
 * is asked ahead of need (known failure 25).
 */
export class Breaker {
  private failures = 0;
  private probeAtMs = 0;

  constructor(private readonly clock: Clock) {}

  /** The last trip failed. */
  get troubled(): boolean {
    return this.failures > 0;
  }

  get open(): boolean {
    return this.failures >= OPEN_AFTER;
  }

  /** Whether a trip may be made now. When open, that is a probe, and the next one waits for its turn. */
  admits(): boolean {
    if (!this.open) return true;
    const nowMs = this.clock.nowMs();
    if (nowMs < this.probeAtMs) return false;
    this.probeAtMs = nowMs + PROBE_MS;
    return true;
  }

  succeeded(): void {
    this.failures = 0;
  }

  failed(): void {
    this.failures += 1;
    if (this.failures === OPEN_AFTER) this.probeAtMs = this.clock.nowMs() + PROBE_MS;
  }

  /** The answer to what was not asked. */
  fault(): StoreFault {
    return new StoreFault('unavailable', 'the store failed several times in a row and is left alone for a moment');
  }
}
