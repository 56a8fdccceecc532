import { algorithmFor, type CounterState, type Quota } from '@sluice/algorithms';

/** The exact limiter: the pure algorithm over one counter a key, that sees every request at once. */
export class ExactFleet {
  private readonly algorithm;
  private readonly states = new Map<number, CounterState | undefined>();

  constructor(private readonly quota: Quota) {
    this.algorithm = algorithmFor(quota.algorithm);
  }

  /** Whether it lets the request pass; charges it if so. */
  admits(key: number, nowMs: number): boolean {
    const taken = this.algorithm.take(this.states.get(key), this.quota, 1, 1, nowMs);
    this.states.set(key, taken.state);
    return taken.outcome.granted > 0;
  }

  /** Whether it would let a request pass. */
  wouldAdmit(key: number, nowMs: number): boolean {
    return this.algorithm.peek(this.states.get(key), this.quota, 1, nowMs).remaining > 0;
  }
}
