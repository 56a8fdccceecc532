import type { CheckResult } from '@sluice/platform';

/** A batch that failed comes again within seconds, unless its partition went to another replica. */
const COMES_AGAIN_MS = 30_000;

/** Where the sink stands, for readiness and metrics. */
export class SinkState {
  private failure: { readonly reason: string; readonly atMs: number } | undefined;
  private isWriting = false;
  /** Of the batch in hand the time of the oldest event. */
  private inHandMs: number | undefined;
  private lastLagMs = 0;

  /** A batch is in hand, for the first time or again. */
  take(oldestMs: number): void {
    this.inHandMs = oldestMs;
    this.isWriting = true;
  }

  /** The batch in hand is stored. */
  stored(newestMs: number, nowMs: number): void {
    this.inHandMs = undefined;
    this.isWriting = false;
    this.lastLagMs = Math.max(0, nowMs - newestMs);
  }

  failed(reason: string, nowMs: number): void {
    this.isWriting = false;
    this.failure = { reason, atMs: nowMs };
  }

  well(): void {
    this.failure = undefined;
  }

  /**
   * How far what is stored is behind: while a batch waits for the store the age of its oldest event, and otherwise the age that the newest
   * event of the last batch had when it was stored.
   */
  lagMs(nowMs: number): number {
    this.letGo(nowMs);
    return this.inHandMs === undefined ? this.lastLagMs : Math.max(this.lastLagMs, nowMs - this.inHandMs);
  }

  /** A sink that stands still is no reason to send requests elsewhere: what is stored can be asked, and the bus keeps the rest. */
  check(isConnected: boolean, nowMs: number): CheckResult {
    this.letGo(nowMs);
    if (this.failure !== undefined) return { ok: true, detail: `degraded: ${this.failure.reason}` };
    return isConnected ? { ok: true } : { ok: true, detail: 'degraded: the bus cannot be reached' };
  }

  /** Forgets a batch that failed and did not come again: it is another's now. */
  private letGo(nowMs: number): void {
    if (this.isWriting || this.failure === undefined || nowMs - this.failure.atMs < COMES_AGAIN_MS) return;
    this.failure = undefined;
    this.inHandMs = undefined;
  }
}
