import type { Lease } from './lease.js';

const MIN_BITS = 6;
/** It doubles above half full, and halves below an eighth. */
const MAX_LOAD = 0.5;
const MIN_LOAD = 0.125;

/**
 * The lease objects by their entry. Tens of thousands a second come and go, and in a `Map` that is costly: it makes a new table each time that so many
 * were deleted, and the old one hangs on to the new one; once the collector has taken one of them for old it keeps all that come after, with what
 * was in them. Here what is deleted leaves nothing behind: open addressing, and what follows moves up.
 */
export class LiveLeases {
  private bits = MIN_BITS;
  /** The entry and one; 0 is free. */
  private entries = new Int32Array(1 << MIN_BITS);
  private leases = noLeases(1 << MIN_BITS);
  private count = 0;

  get size(): number {
    return this.count;
  }

  get(entry: number): Lease | undefined {
    return this.leases[this.placeOf(entry)];
  }

  set(entry: number, lease: Lease): void {
    const at = this.placeOf(entry);
    const isNew = this.entries[at] === 0;
    this.entries[at] = entry + 1;
    this.leases[at] = lease;
    if (!isNew) return;
    this.count += 1;
    if (this.count > this.entries.length * MAX_LOAD) this.resize(this.bits + 1);
  }

  delete(entry: number): void {
    const { entries, leases } = this;
    const mask = entries.length - 1;
    let hole = this.placeOf(entry);
    if (entries[hole] === 0) return;
    for (let at = (hole + 1) & mask; entries[at] !== 0; at = (at + 1) & mask) {
      const home = this.homeOf((entries[at] ?? 0) - 1);
      if (((at - home) & mask) < ((at - hole) & mask)) continue;
      entries[hole] = entries[at] ?? 0;
      leases[hole] = leases[at];
      hole = at;
    }
    entries[hole] = 0;
    leases[hole] = undefined;
    this.count -= 1;
    if (this.bits > MIN_BITS && this.count < entries.length * MIN_LOAD) this.resize(this.bits - 1);
  }

  /** Where the entry is, or would be. */
  private placeOf(entry: number): number {
    const { entries } = this;
    const mask = entries.length - 1;
    let at = this.homeOf(entry);
    while (entries[at] !== 0 && entries[at] !== entry + 1) at = (at + 1) & mask;
    return at;
  }

  private homeOf(entry: number): number {
    return Math.imul(entry, 0x9e3779b1) >>> (32 - this.bits);
  }

  private resize(bits: number): void {
    const { entries, leases } = this;
    this.bits = bits;
    this.entries = new Int32Array(1 << bits);
    this.leases = noLeases(1 << bits);
    for (let at = 0; at < entries.length; at += 1) {
      const entry = (entries[at] ?? 0) - 1;
      if (entry < 0) continue;
      const place = this.placeOf(entry);
      this.entries[place] = entry + 1;
      this.leases[place] = leases[at];
    }
  }
}

function noLeases(size: number): (Lease | undefined)[] {
  return new Array<Lease | undefined>(size).fill(undefined);
}
