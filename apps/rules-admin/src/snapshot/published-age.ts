/** When a version was committed, and how long ago: by the database's clock when it was read, by this process's monotonic one since. */
export class PublishedAge {
  private readonly readAtMs = performance.now();

  constructor(
    private readonly ageThenMs: number,
    /** By the database's clock, as text in microseconds. The log never changes: a version with another time is of another history. */
    readonly committedAtUs: string,
  ) {}

  nowMs(): number {
    return Math.max(0, Math.round(this.ageThenMs + performance.now() - this.readAtMs));
  }
}
