interface Entry<V> {
  readonly value: V;
  readonly untilMs: number;
}

/** Keeps the most recently used values, each for a while. */
export class BoundedCache<V> {
  /** In the order of their use, the oldest first. */
  private readonly entries = new Map<string, Entry<V>>();

  constructor(
    private readonly most: number,
    private readonly keptMs: number,
    private readonly nowMs: () => number = Date.now,
  ) {}

  get(key: string): V | undefined {
    const entry = this.entries.get(key);
    if (entry === undefined) return undefined;
    this.entries.delete(key);
    if (entry.untilMs <= this.nowMs()) return undefined;
    this.entries.set(key, entry);
    return entry.value;
  }

  set(key: string, value: V): void {
    this.entries.delete(key);
    this.entries.set(key, { value, untilMs: this.nowMs() + this.keptMs });
    const [oldest] = this.entries.keys();
    if (this.entries.size > this.most && oldest !== undefined) this.entries.delete(oldest);
  }

  delete(key: string): void {
    this.entries.delete(key);
  }
}
