interface Entry {
  readonly atMs: number;
  readonly order: number;
  readonly task: () => void;
}

/** What is going to happen, earliest first; what is due at the same moment happens in the order in which it was put down. */
export class Agenda {
  private readonly heap: Entry[] = [];
  private order = 0;

  /** When the next task is due; Infinity when there is none. */
  get nextAtMs(): number {
    return this.heap[0]?.atMs ?? Infinity;
  }

  add(atMs: number, task: () => void): void {
    const entry = { atMs, order: this.order, task };
    this.order += 1;
    let at = this.heap.push(entry) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.before(at, parent)) break;
      this.swap(at, parent);
      at = parent;
    }
  }

  /** Takes the earliest task off. */
  take(): (() => void) | undefined {
    const first = this.heap[0];
    const last = this.heap.pop();
    if (first === undefined || last === undefined) return undefined;
    if (this.heap.length > 0) {
      this.heap[0] = last;
      this.sink();
    }
    return first.task;
  }

  private sink(): void {
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      const least = left + 1 < this.heap.length && this.before(left + 1, left) ? left + 1 : left;
      if (least >= this.heap.length || !this.before(least, at)) return;
      this.swap(at, least);
      at = least;
    }
  }

  private before(a: number, b: number): boolean {
    const [one, other] = [this.heap[a], this.heap[b]];
    if (one === undefined || other === undefined) return false;
    return one.atMs === other.atMs ? one.order < other.order : one.atMs < other.atMs;
  }

  private swap(a: number, b: number): void {
    const [one, other] = [this.heap[a], this.heap[b]];
    if (one === undefined || other === undefined) return;
    this.heap[a] = other;
    this.heap[b] = one;
  }
}
