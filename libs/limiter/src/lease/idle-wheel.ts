import type { Lease } from './lease.js';

const SLOT_MS = 25;
const SLOTS = 64;
/** Unspent permits of a key that was not used for so long go back (ARCHITECTURE, lease protocol). */
export const IDLE_MS = 200;

/** What becomes of leases that are looked at. */
export interface IdleActs {
  /** Its permits ran out or are not used: they go back. */
  due(lease: Lease): void;
  /** It holds nothing, and nobody is at work on it. */
  quiet(lease: Lease): void;
}

/**
 * Finds leases that ran out or fell idle: one timer for all keys, and only keys that held something lately are in it. A lease stands in
 * the slot of the moment at which it could be due; one that was used meanwhile moves on.
 */
export class IdleWheel {
  private readonly slots: Lease[][] = Array.from({ length: SLOTS }, () => []);
  private tick: number;

  constructor(
    nowMs: number,
    private readonly acts: IdleActs,
  ) {
    this.tick = Math.floor(nowMs / SLOT_MS);
  }

  /**
   * Somebody who pinned it is through. What holds nothing when the last one is goes at once: at tens of thousands of trips a second all that waited
   * here for its time would be moved by the collector, twice.
   */
  unpin(lease: Lease, nowMs: number): void {
    lease.pins -= 1;
    if (lease.pins > 0 || lease.watched) return;
    if (lease.balance > 0 || lease.credit !== undefined) this.watch(lease, nowMs);
    else this.acts.quiet(lease);
  }

  watch(lease: Lease, nowMs: number): void {
    if (lease.watched) return;
    lease.watched = true;
    const idleAtMs = lease.lastUsedMs + IDLE_MS;
    const dueMs = lease.balance > 0 ? Math.min(lease.endsAtMs, idleAtMs) : idleAtMs;
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
      for (const lease of this.taken(this.tick % SLOTS)) this.look(lease, nowMs);
    }
  }

  /** Every lease is due: the node stops. */
  drain(): void {
    for (let at = 0; at < SLOTS; at += 1) {
      for (const lease of this.taken(at)) {
        lease.watched = false;
        this.acts.due(lease);
      }
    }
  }

  private taken(at: number): readonly Lease[] {
    const slot = this.slots[at] ?? [];
    if (slot.length > 0) this.slots[at] = [];
    return slot;
  }

  private look(lease: Lease, nowMs: number): void {
    lease.watched = false;
    const idle = nowMs - lease.lastUsedMs >= IDLE_MS;
    if (lease.balance > 0 && (idle || nowMs >= lease.endsAtMs)) this.acts.due(lease);
    if (idle && lease.pins === 0) this.acts.quiet(lease);
    else this.watch(lease, nowMs);
  }
}
