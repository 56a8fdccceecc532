import type { Lease } from './lease.js';

const SLOT_MS = 25;
const SLOTS = 64;
/** Unspent permits of a key that was not used for so long go back (ARCHITECTURE, lease protocol). */
export const IDLE_MS = 200;

/**
 * Finds leases that ran out or fell idle: one timer for all keys, and only keys that hold permits are in it. A lease stands in
 * the slot of the moment at which it could be due; one that was used meanwhile moves on.
 */
export class IdleWheel {
  private readonly slots: Lease[][] = Array.from({ length: SLOTS }, () => []);
  private tick: number;

  constructor(
    nowMs: number,
    private readonly due: (lease: Lease) => void,
  ) {
    this.tick = Math.floor(nowMs / SLOT_MS);
  }

  watch(lease: Lease, nowMs: number): void {
    if (lease.watched) return;
    lease.watched = true;
    const dueMs = Math.min(lease.endsAtMs, lease.lastUsedMs + IDLE_MS);
    const tick = Math.max(Math.ceil(Math.max(dueMs, nowMs) / SLOT_MS), this.tick + 1);
    const slot = this.slots[Math.min(tick, this.tick + SLOTS - 1) % SLOTS];
    slot?.push(lease);
  }

  /** Looks at every slot up to now. */
  turn(nowMs: number): void {
    const until = Math.floor(nowMs / SLOT_MS);
    if (until - this.tick > SLOTS) this.tick = until - SLOTS;
    while (this.tick < until) {
      this.tick += 1;
      const slot = this.slots[this.tick % SLOTS];
      if (slot === undefined || slot.length === 0) continue;
      this.slots[this.tick % SLOTS] = [];
      for (const lease of slot) this.look(lease, nowMs);
    }
  }

  private look(lease: Lease, nowMs: number): void {
    lease.watched = false;
    if (lease.balance === 0) return;
    if (nowMs >= lease.endsAtMs || nowMs - lease.lastUsedMs >= IDLE_MS) this.due(lease);
    else this.watch(lease, nowMs);
  }
}
