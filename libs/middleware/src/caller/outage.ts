/**
 * Whether a server is worth waiting for. After `failuresToOpen` failures in a row nobody waits for it; one request in
 * `probeEveryMs` still tries.
 */
export class Outage {
  private failures = 0;
  private nextProbeAtMs = 0;

  constructor(
    private readonly failuresToOpen: number,
    readonly probeEveryMs: number,
    private readonly nowMs: () => number,
  ) {}

  get open(): boolean {
    return this.failures >= this.failuresToOpen;
  }

  /** Whether this request may try: always while closed, else the one whose turn it is. */
  mayTry(): boolean {
    if (!this.open) return true;
    if (this.nowMs() < this.nextProbeAtMs) return false;
    this.nextProbeAtMs = this.nowMs() + this.probeEveryMs;
    return true;
  }

  succeeded(): void {
    this.failures = 0;
  }

  failed(): void {
    this.failures += 1;
    this.nextProbeAtMs = this.nowMs() + this.probeEveryMs;
  }
}
