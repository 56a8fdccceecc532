import type { CompiledRule } from '@sluice/rules';
import type { Lease } from './lease.js';

/**
 * The leases of a node, bounded: two generations, of which the older is dropped when the younger is full. A key that is used
 * moves back into the younger one, so what is dropped was not used for a whole generation; a hit costs one look-up and no
 * list surgery. Whoever is dropped is handed out first, so that its permits can go back.
 */
export class LeaseTable {
  private young = new Map<string, Lease>();
  private old = new Map<string, Lease>();
  private readonly perIdentity = new Map<string, number>();
  private readonly generationSize: number;

  constructor(
    maxKeys: number,
    private readonly dropped: (lease: Lease) => void,
  ) {
    this.generationSize = Math.max(1, Math.ceil(maxKeys / 2));
  }

  get size(): number {
    return this.young.size + this.old.size;
  }

  /** Live keys of one rule's counting identity. */
  keysOf(rule: CompiledRule): number {
    return this.perIdentity.get(rule.identity) ?? 0;
  }

  get(key: string): Lease | undefined {
    const lease = this.young.get(key);
    if (lease !== undefined) return lease;
    const older = this.old.get(key);
    if (older === undefined) return undefined;
    this.old.delete(key);
    this.place(key, older);
    return older;
  }

  add(lease: Lease): void {
    this.perIdentity.set(lease.rule.identity, this.keysOf(lease.rule) + 1);
    this.place(lease.key, lease);
  }

  delete(key: string): void {
    const lease = this.young.get(key) ?? this.old.get(key);
    if (lease === undefined) return;
    this.young.delete(key);
    this.old.delete(key);
    this.forget(lease);
  }

  *values(): IterableIterator<Lease> {
    yield* this.young.values();
    yield* this.old.values();
  }

  private place(key: string, lease: Lease): void {
    if (this.young.size >= this.generationSize) this.turn();
    this.young.set(key, lease);
  }

  private turn(): void {
    const leaving = this.old;
    this.old = this.young;
    this.young = new Map();
    for (const lease of leaving.values()) {
      if (lease.flying || lease.collecting !== undefined) {
        this.old.set(lease.key, lease);
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
