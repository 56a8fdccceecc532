/** Values by number; one that was not asked for in one to two spans is forgotten. No timer for each: two maps that change places. */
export class Generations<V> {
  private young = new Map<number, V>();
  private old = new Map<number, V>();
  private turnAtMs = 0;

  constructor(private readonly spanMs: number) {}

  get(key: number): V | undefined {
    const value = this.young.get(key);
    if (value !== undefined || this.old.size === 0) return value;
    const known = this.old.get(key);
    if (known !== undefined) this.set(key, known);
    return known;
  }

  set(key: number, value: V): void {
    this.young.set(key, value);
    this.old.delete(key);
  }

  delete(key: number): void {
    this.young.delete(key);
    this.old.delete(key);
  }

  tick(nowMs: number): void {
    if (nowMs < this.turnAtMs) return;
    this.old = this.young;
    this.young = new Map();
    this.turnAtMs = nowMs + this.spanMs;
  }
}
