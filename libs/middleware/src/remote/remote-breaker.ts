/** Tells when nobody shall wait for the service: after failures in a row, until a probe is answered. */
export class RemoteBreaker {
  private failures = 0;
  private probeAtMs = 0;

  constructor(
    private readonly failuresToOpen: number,
    private readonly probeMs: number,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  get open(): boolean {
    return this.failures >= this.failuresToOpen;
  }

  succeeded(): void {
    this.failures = 0;
  }

  failed(): void {
    this.failures += 1;
    if (this.failures === this.failuresToOpen) this.probeAtMs = this.nowMs() + this.probeMs;
  }

  /** Whether a probe is due now; the next one is then a while away. */
  takeProbe(): boolean {
    const nowMs = this.nowMs();
    if (!this.open || nowMs < this.probeAtMs) return false;
    this.probeAtMs = nowMs + this.probeMs;
    return true;
  }
}
