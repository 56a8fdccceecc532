import type { ReplayRequest } from '@sluice/replay';

interface Waiting {
  readonly request: ReplayRequest;
  readonly turn: number;
}

/** Requests that wait at most: beyond it the earliest goes on, so that memory is bounded whatever the span. */
const MOST_WAITING = 1_000_000;

/** Puts requests in the order of time; equal times keep the order in which they came. */
export class Reorder {
  /** A binary heap, the earliest on top. */
  private readonly heap: Waiting[] = [];
  private turn = 0;

  push(request: ReplayRequest): void {
    const { heap } = this;
    let at = heap.push({ request, turn: (this.turn += 1) }) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.isBefore(at, parent)) break;
      this.swap(at, parent);
      at = parent;
    }
  }

  /** The earliest, unless it is later than `untilMs`: then something may come yet that goes before it. */
  next(untilMs: number): ReplayRequest | undefined {
    const [top] = this.heap;
    if (top === undefined) return undefined;
    if (this.heap.length <= MOST_WAITING && top.request.atMs > untilMs) return undefined;
    const last = this.heap.pop();
    if (last !== undefined && this.heap.length > 0) {
      this.heap[0] = last;
      this.sink();
    }
    return top.request;
  }

  private sink(): void {
    for (let at = 0; ; ) {
      const left = 2 * at + 1;
      let least = at;
      if (left < this.heap.length && this.isBefore(left, least)) least = left;
      if (left + 1 < this.heap.length && this.isBefore(left + 1, least)) least = left + 1;
      if (least === at) return;
      this.swap(at, least);
      at = least;
    }
  }

  private isBefore(a: number, b: number): boolean {
    const one = this.heap[a];
    const other = this.heap[b];
    if (one === undefined || other === undefined) return false;
    return one.request.atMs < other.request.atMs || (one.request.atMs === other.request.atMs && one.turn < other.turn);
  }

  private swap(a: number, b: number): void {
    const one = this.heap[a];
    const other = this.heap[b];
    if (one === undefined || other === undefined) return;
    this.heap[a] = other;
    this.heap[b] = one;
  }
}
