const HOUR_MS = 3_600_000;

/** Some hours of the past that no other test of the run uses, and a name that its producers begin with: tests share a store and do not see each other. */
export interface Slot {
  readonly fromMs: number;
  readonly toMs: number;
  readonly name: string;
}

export const SLOT_MS = 4 * HOUR_MS;

let taken = 0;

/** The next free slot, going back from now. */
export function nextSlot(): Slot {
  taken += 1;
  const now = Date.now();
  const fromMs = now - (now % HOUR_MS) - taken * SLOT_MS - 24 * HOUR_MS;
  return { fromMs, toMs: fromMs + SLOT_MS, name: `t${String(taken)}` };
}
