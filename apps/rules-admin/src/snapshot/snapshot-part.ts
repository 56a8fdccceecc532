import { sortInSteps, type Steps } from '@sluice/rules';

/** One plan, rule or override as a version has it. */
export interface SnapshotItem {
  readonly id: string;
  /** Global version of its last change. */
  readonly changedAt: number;
  /** Canonical JSON: what is sent, and what is hashed. */
  readonly text: string;
}

/** Something that a version took away. */
export interface Deletion {
  readonly id: string;
  readonly changedAt: number;
}

/** What happened to a part after some version. */
export interface PartChanges {
  readonly items: readonly SnapshotItem[];
  readonly deletions: readonly Deletion[];
}

/** Deletions that are remembered; who missed more than these gets the whole. */
export const REMEMBERED_DELETIONS = 20_000;

const byId = (a: SnapshotItem, b: SnapshotItem): number => compare(a.id, b.id);
const byText = (a: SnapshotItem, b: SnapshotItem): number => compare(a.text, b.text);

/** The plans, the rules or the overrides of one version. It never changes: changes make the next one, which shares what stayed. */
export class SnapshotPart {
  private constructor(
    /** By id: the order of the body. */
    readonly items: readonly SnapshotItem[],
    /** By text: the order of the checksum. */
    readonly hashed: readonly SnapshotItem[],
    /** The latest ones, by id. */
    private readonly deletions: ReadonlyMap<string, number>,
    /** Deletions after this version are all known. */
    private readonly completeAfter: number,
  ) {}

  static readonly empty = new SnapshotPart([], [], new Map(), 0);

  /** The part after the changes. What is deleted and changed is there, as changed. */
  *after({ items, deletions }: PartChanges): Steps<SnapshotPart> {
    if (items.length + deletions.length === 0) return this;
    const gone = new Set([...items, ...deletions].map(({ id }) => id));
    const remembered = new Map([...this.deletions, ...deletions.map(({ id, changedAt }) => [id, changedAt] as const)]);
    for (const { id } of items) remembered.delete(id);
    const { kept, completeAfter } = latest(remembered, this.completeAfter);
    yield;
    const byIds = merged(this.items, gone, yield* sortInSteps(items, byId), byId);
    yield;
    return new SnapshotPart(byIds, merged(this.hashed, gone, yield* sortInSteps(items, byText), byText), kept, completeAfter);
  }

  /** What changed after version `since`; undefined when not all of it is known. */
  changesAfter(since: number): { readonly items: readonly SnapshotItem[]; readonly deletedIds: readonly string[] } | undefined {
    if (since < this.completeAfter) return undefined;
    const deletedIds = [...this.deletions].filter(([, changedAt]) => changedAt > since).map(([id]) => id);
    return { items: this.items.filter(({ changedAt }) => changedAt > since), deletedIds };
  }
}

function merged(old: readonly SnapshotItem[], gone: ReadonlySet<string>, fresh: readonly SnapshotItem[], order: (a: SnapshotItem, b: SnapshotItem) => number): readonly SnapshotItem[] {
  const result: SnapshotItem[] = [];
  let at = 0;
  for (const item of old) {
    if (gone.has(item.id)) continue;
    for (let next = fresh[at]; next !== undefined && order(next, item) < 0; next = fresh[at]) {
      result.push(next);
      at += 1;
    }
    result.push(item);
  }
  return result.concat(fresh.slice(at));
}

function latest(deletions: ReadonlyMap<string, number>, completeAfter: number): { readonly kept: ReadonlyMap<string, number>; readonly completeAfter: number } {
  if (deletions.size <= REMEMBERED_DELETIONS) return { kept: deletions, completeAfter };
  const newestFirst = [...deletions].sort(([, a], [, b]) => b - a);
  return { kept: new Map(newestFirst.slice(0, REMEMBERED_DELETIONS)), completeAfter: newestFirst[REMEMBERED_DELETIONS]?.[1] ?? completeAfter };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
