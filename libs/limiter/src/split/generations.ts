/**
 * Values by number; one that was not asked for in one to two spans is forgotten, or when there are too many others. No timer for each: two
 * maps that change places.
 */
export class Generations<V> {
  private young = new Map<number, V>();
  private old = new Map<number, V>();
  private turnAtMs = 0;

  /** @param most values of each map: twice as many at most are kept. */
  constructor(
    private readonly spanMs: number,
    private readonly most: number,
  ) {}

  get size(): number {
    return this.young.size + this.old.size;
  }

  get(key: number): V | undefined {
    const value = this.young.get(key);
    if (value !== undefined || this.old.size === 0) return value;
    const known = this.old.get(key);
    if (known !== undefined) this.set(key, known);
    return known;
  }

  set(key: number, value: V): void {
    this.old.delete(key);
    this.young.set(key, value);
    if (this.young.size >= this.most) this.turn();
  }

  tick(nowMs: number): void {
    if (nowMs < this.turnAtMs) return;
    this.turn();
    this.turnAtMs = nowMs + this.spanMs;
  }

  private turn(): void {
    this.old = this.young;
    this.young = new Map();
  }
}
