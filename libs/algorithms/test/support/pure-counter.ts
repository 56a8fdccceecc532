import { algorithmFor, type CounterState, type Quota } from '@sluice/algorithms';
import type { CounterPort } from '../../src/contract/index.js';

/** A counter that keeps its state in a variable: the least store there can be. */
export class PureCounter implements CounterPort {
  state: CounterState | undefined;
  private nowMs = 0;

  setNow(nowMs: number): void {
    this.nowMs = nowMs;
  }

  acquire(quota: Quota, need: number, want: number) {
    const { outcome, state } = algorithmFor(quota.algorithm).take(this.state, quota, need, want, this.nowMs);
    this.state = state;
    return outcome;
  }

  peek(quota: Quota, cost: number) {
    return algorithmFor(quota.algorithm).peek(this.state, quota, cost, this.nowMs);
  }

  refund(quota: Quota, amount: number, bucket: number): number {
    const { refunded, state } = algorithmFor(quota.algorithm).refund(this.state, quota, amount, bucket, this.nowMs);
    this.state = state;
    return refunded;
  }

  charge(quota: Quota, amount: number, onlyIfAbsent: boolean) {
    const { outcome, state } = algorithmFor(quota.algorithm).charge(this.state, quota, amount, this.nowMs, onlyIfAbsent);
    this.state = state;
    return outcome;
  }

  reset(): void {
    this.state = undefined;
  }
}
