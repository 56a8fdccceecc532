import type { Counter } from './counter.js';

/** A power of two. */
const SLOTS = 262_144;

/** Counters found lately, by the number of their rule and that of the value that it counts by: one look where a table of texts takes several. Bounded; a slot holds what was found last. */
export class CounterCache {
  /** Rule and value of each slot. */
  private readonly owners = new Int32Array(2 * SLOTS);
  private readonly counters: (Counter | undefined)[] = new Array<Counter | undefined>(SLOTS).fill(undefined);

  get(lane: number, value: number): Counter | undefined {
    const slot = slotOf(lane, value);
    return this.owners[2 * slot] === lane && this.owners[2 * slot + 1] === value ? this.counters[slot] : undefined;
  }

  set(lane: number, value: number, counter: Counter): void {
    const slot = slotOf(lane, value);
    this.owners[2 * slot] = lane;
    this.owners[2 * slot + 1] = value;
    this.counters[slot] = counter;
  }

  clear(): void {
    this.counters.fill(undefined);
  }
}

/** Numbers of one dictionary follow each other, and so do their slots. */
function slotOf(lane: number, value: number): number {
  return (value + Math.imul(lane, 0x9e3779b1)) & (SLOTS - 1);
}
