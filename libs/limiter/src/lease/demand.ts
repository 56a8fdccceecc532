/** Span of one demand bucket, ms: long enough to see 2 requests a second, short enough to follow a burst. */
const SPAN_MS = 500;

/** A key's own arrival rate on this node, permits per ms, by two buckets of {@link SPAN_MS}: two numbers a key, no timer. */
export class Demand {
  private span = -1;
  private current = 0;
  private previous = 0;

  record(cost: number, nowMs: number): void {
    this.roll(nowMs);
    this.current += cost;
  }

  ratePerMs(nowMs: number): number {
    this.roll(nowMs);
    const overlap = 1 - (nowMs - this.span * SPAN_MS) / SPAN_MS;
    return (this.previous * overlap + this.current) / SPAN_MS;
  }

  private roll(nowMs: number): void {
    const span = Math.floor(nowMs / SPAN_MS);
    if (span === this.span) return;
    this.previous = span === this.span + 1 ? this.current : 0;
    this.current = 0;
    this.span = span;
  }
}
