/** A map that holds at most so many, and forgets what was not set or looked up for longest. */
export class Recent<V> {
  private readonly values = new Map<string, V>();

  constructor(private readonly most: number) {}

  get(key: string): V | undefined {
    const value = this.values.get(key);
    if (value === undefined) return undefined;
    this.values.delete(key);
    this.values.set(key, value);
    return value;
  }

  set(key: string, value: V): void {
    this.values.delete(key);
    this.values.set(key, value);
    if (this.values.size <= this.most) return;
    for (const oldest of this.values.keys()) {
      this.values.delete(oldest);
      return;
    }
  }

  delete(key: string): void {
    this.values.delete(key);
  }

  get size(): number {
    return this.values.size;
  }
}
