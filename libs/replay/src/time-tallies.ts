import { Tally } from './tally.js';

/** One bucket of time. */
export interface TimedTally {
  readonly startMs: number;
  readonly tally: Tally;
}

/** Sums by time, in buckets that double when there are too many. */
export class TimeTallies {
  private readonly buckets = new Map<number, Tally>();
  private latest: Tally | undefined;
  private latestIndex = Number.NaN;

  /** @param bucketMs length at first, aligned to the epoch */
  constructor(
    public bucketMs: number,
    private readonly most: number,
  ) {}

  at(atMs: number): Tally {
    const index = Math.floor(atMs / this.bucketMs);
    if (index === this.latestIndex && this.latest !== undefined) return this.latest;
    return this.open(atMs);
  }

  /** In the order of time; empty buckets are left out. */
  list(): readonly TimedTally[] {
    return [...this.buckets].sort(([a], [b]) => a - b).map(([index, tally]) => ({ startMs: index * this.bucketMs, tally }));
  }

  private open(atMs: number): Tally {
    let index = Math.floor(atMs / this.bucketMs);
    while (!this.buckets.has(index) && this.buckets.size >= this.most) {
      this.double();
      index = Math.floor(atMs / this.bucketMs);
    }
    const tally = this.buckets.get(index) ?? new Tally();
    this.buckets.set(index, tally);
    this.latest = tally;
    this.latestIndex = index;
    return tally;
  }

  private double(): void {
    const before = [...this.buckets];
    this.bucketMs *= 2;
    this.buckets.clear();
    for (const [index, tally] of before) {
      const merged = this.buckets.get(Math.floor(index / 2));
      if (merged === undefined) this.buckets.set(Math.floor(index / 2), tally);
      else merged.merge(tally);
    }
  }
}
