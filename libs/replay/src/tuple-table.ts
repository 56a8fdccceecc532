const FIELDS = 4;
const SLOT = FIELDS + 1;
const FIRST_SLOTS = 1_024;

/** Numbers for tuples of four integers, from 0 on in the order in which they come: open addressing in one array, at most half full. */
export class TupleTable {
  /** Four fields and the number plus 1 each; 0 is an empty slot. */
  private slots = new Int32Array(FIRST_SLOTS * SLOT);
  private mask = FIRST_SLOTS - 1;
  size = 0;

  find(a: number, b: number, c: number, d: number): number {
    const { slots, mask } = this;
    for (let at = hash(a, b, c, d) & mask; ; at = (at + 1) & mask) {
      const from = at * SLOT;
      const number = slots[from + FIELDS] ?? 0;
      if (number === 0) return this.add(from, a, b, c, d);
      if (slots[from] === a && slots[from + 1] === b && slots[from + 2] === c && slots[from + 3] === d) return number - 1;
    }
  }

  private add(from: number, a: number, b: number, c: number, d: number): number {
    const number = this.size;
    this.size += 1;
    this.slots.set([a, b, c, d, number + 1], from);
    if (this.size * 2 > this.mask) this.grow();
    return number;
  }

  private grow(): void {
    const { slots: before } = this;
    this.mask = this.mask * 2 + 1;
    this.slots = new Int32Array((this.mask + 1) * SLOT);
    for (let from = 0; from < before.length; from += SLOT) {
      if (before[from + FIELDS] === 0) continue;
      let at = hash(before[from] ?? 0, before[from + 1] ?? 0, before[from + 2] ?? 0, before[from + 3] ?? 0) & this.mask;
      while (this.slots[at * SLOT + FIELDS] !== 0) at = (at + 1) & this.mask;
      this.slots.set(before.subarray(from, from + SLOT), at * SLOT);
    }
  }
}

/** Nobody aims at it: what it is given are numbers of a dictionary, in the order in which they came. */
function hash(a: number, b: number, c: number, d: number): number {
  let mixed = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b) ^ Math.imul(c, 0xc2b2ae35) ^ Math.imul(d, 0x27d4eb2f);
  mixed ^= mixed >>> 15;
  mixed = Math.imul(mixed, 0x2c1b3c6d);
  return mixed ^ (mixed >>> 13);
}
