import type { ShadowVerdict } from '@sluice/limiter';

/** Requests by what a rule in shadow would have said. It only grows. */
export class Tally {
  allowed = 0;
  denied = 0;
  unknown = 0;
  /** Whether it is sent by itself; once it was, it always is. */
  named = false;
  /** As many as the control plane is known to have. */
  private acknowledged = 0;

  add(verdict: ShadowVerdict): void {
    this[verdict] += 1;
  }

  get sum(): number {
    return this.allowed + this.denied + this.unknown;
  }

  get unsent(): number {
    return this.sum - this.acknowledged;
  }

  /** @param sum as it was sent */
  acknowledge(sum: number): void {
    this.acknowledged = Math.max(this.acknowledged, sum);
  }
}
