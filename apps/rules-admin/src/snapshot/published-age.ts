/** How long ago a version was committed: by the database's clock when it was read, by this process's monotonic one since. */
export class PublishedAge {
  private readonly readAtMs = performance.now();

  constructor(private readonly ageThenMs: number) {}

  nowMs(): number {
    return Math.max(0, Math.round(this.ageThenMs + performance.now() - this.readAtMs));
  }
}
