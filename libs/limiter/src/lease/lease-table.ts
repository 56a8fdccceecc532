import type { CompiledRule } from '@sluice/rules';
import type { Lease } from './lease.js';

/** A generation lasts no longer than this, ms, so that keys of the past do not count for ever (R11). */
const GENERATION_MS = 60_000;
/** Leases that leave with each one that comes, so that a generation has left before the next one does. */
const LEAVING_STEPS = 4;

/**
 * The leases of a node, bounded: two generations, of which the older leaves when the younger is full or a minute old. A key that
 * is used moves back into the younger one, so what leaves was not used for a whole generation; a hit costs one look-up and no
 * list surgery. They leave a few at a time, without a pause, and each is handed out first, so that its permits can go back.
 */
export class LeaseTable {
  private young = new Map<string, Lease>();
  private old = new Map<string, Lease>();
  private leaving = new Map<string, Lease>();
  private turnAtMs: number;
  private readonly perIdentity = new Map<string, number>();
  private readonly generationSize: number;

  constructor(
    maxKeys: number,
    nowMs: number,
    private readonly dropped: (lease: Lease) => void,
  ) {
    this.turnAtMs = nowMs + GENERATION_MS;
    this.generationSize = Math.max(1, Math.ceil(maxKeys / 2));
  }

  get size(): number {
    return this.young.size + this.old.size + this.leaving.size;
  }

  /** Live keys of one rule's counting identity. */
  keysOf(rule: CompiledRule): number {
    return this.perIdentity.get(rule.identity) ?? 0;
  }

  get(key: string): Lease | undefined {
    const lease = this.young.get(key);
    if (lease !== undefined) return lease;
    const older = this.old.get(key) ?? this.leaving.get(key);
    if (older === undefined) return undefined;
    this.old.delete(key);
    this.leaving.delete(key);
    this.place(key, older);
    return older;
  }

  add(lease: Lease): void {
    this.perIdentity.set(lease.rule.identity, this.keysOf(lease.rule) + 1);
    this.place(lease.key, lease);
  }

  delete(key: string): void {
    const lease = this.young.get(key) ?? this.old.get(key) ?? this.leaving.get(key);
    if (lease === undefined) return;
    this.young.delete(key);
    this.old.delete(key);
    this.leaving.delete(key);
    this.forget(lease);
  }

  *values(): IterableIterator<Lease> {
    yield* this.young.values();
    yield* this.old.values();
    yield* this.leaving.values();
  }

  /** Called now and then: turns a generation whose time is over, and lets some of the leaving ones go. */
  tick(nowMs: number, steps: number): void {
    if (nowMs >= this.turnAtMs) {
      this.turnAtMs = nowMs + GENERATION_MS;
      this.turn();
    }
    this.letGo(steps);
  }

  private place(key: string, lease: Lease): void {
    if (this.young.size >= this.generationSize) this.turn();
    this.young.set(key, lease);
    this.letGo(LEAVING_STEPS);
  }

  private turn(): void {
    this.letGo(this.leaving.size);
    this.leaving = this.old;
    this.old = this.young;
    this.young = new Map();
  }

  private letGo(steps: number): void {
    let left = steps;
    for (const [key, lease] of this.leaving) {
      if (left <= 0) return;
      left -= 1;
      this.leaving.delete(key);
      if (lease.flying || lease.collecting !== undefined) {
        this.old.set(key, lease);
        continue;
      }
      this.forget(lease);
      this.dropped(lease);
    }
  }

  private forget(lease: Lease): void {
    const left = this.keysOf(lease.rule) - 1;
    if (left > 0) this.perIdentity.set(lease.rule.identity, left);
    else this.perIdentity.delete(lease.rule.identity);
  }
}
