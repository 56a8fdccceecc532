import { Tally } from './tally.js';

/** A name with its sums. */
export interface NamedTally {
  readonly name: string;
  readonly tally: Tally;
  /** Changes (refused or newly allowed requests) that may be missing here at most: those from before the name was kept. 0: exact. */
  readonly missingAtMost: number;
}

interface Entry {
  readonly tally: Tally;
  readonly missingAtMost: number;
}

/**
 * Sums by name for a bounded number of names. When it is full the half with the fewest changes is let go, and from then on each new name may lack as many
 * as the greatest of those had: so every name with more changes than {@link floor} is there. Exact while nothing was let go.
 */
export class BoundedTallies {
  private readonly entries = new Map<string, Entry>();
  /** Most changes that a name which is not here can have. */
  floor = 0;
  /** Requests of names that were let go. */
  dropped = 0;
  /** Changes when names are let go: from then on a tally that was handed out may be nobody's. */
  epoch = 0;

  constructor(private readonly most: number) {}

  get size(): number {
    return this.entries.size;
  }

  of(name: string): Tally {
    return this.entries.get(name)?.tally ?? this.open(name);
  }

  /** Those with the most changes, the greatest first. */
  top(count: number): readonly NamedTally[] {
    return this.ranked()
      .slice(0, count)
      .map(([name, { tally, missingAtMost }]) => ({ name, tally, missingAtMost }));
  }

  private open(name: string): Tally {
    if (this.entries.size >= this.most) this.letGo();
    const tally = new Tally();
    this.entries.set(name, { tally, missingAtMost: this.floor });
    return tally;
  }

  private letGo(): void {
    this.epoch += 1;
    for (const [name, { tally, missingAtMost }] of this.ranked().slice(Math.floor(this.most / 2))) {
      this.floor = Math.max(this.floor, changes(tally) + missingAtMost);
      this.dropped += tally.requests;
      this.entries.delete(name);
    }
  }

  private ranked(): readonly (readonly [string, Entry])[] {
    return [...this.entries].sort(([a, { tally: one }], [b, { tally: other }]) => changes(other) - changes(one) || other.requests - one.requests || (a < b ? -1 : 1));
  }
}

function changes({ refused, newlyAllowed }: Tally): number {
  return refused + newlyAllowed;
}
