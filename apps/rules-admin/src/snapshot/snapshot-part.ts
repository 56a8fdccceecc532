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
  /** Deletions up to this version need no longer be remembered. */
  readonly forgottenUpTo: number;
}

const byId = (a: SnapshotItem, b: SnapshotItem): number => compare(a.id, b.id);
const byText = (a: SnapshotItem, b: SnapshotItem): number => compare(a.text, b.text);

/** The plans, the rules or the overrides of one version. It never changes: changes make the next one, which shares what stayed. */
export class SnapshotPart {
  private constructor(
    /** By id: the order of the body. */
    readonly items: readonly SnapshotItem[],
    /** By text: the order of the checksum. */
    readonly hashed: readonly SnapshotItem[],
    /** Version of the deletion, by id. */
    private readonly deletions: ReadonlyMap<string, number>,
  ) {}

  static readonly empty = new SnapshotPart([], [], new Map());

  /** The part after the changes. What is deleted and changed is there, as changed. */
  *after({ items, deletions, forgottenUpTo }: PartChanges): Steps<SnapshotPart> {
    if (items.length + deletions.length === 0) return this;
    const gone = new Set([...items, ...deletions].map(({ id }) => id));
    const known = [...this.deletions, ...deletions.map(({ id, changedAt }) => [id, changedAt] as const)];
    const remembered = new Map(known.filter(([, changedAt]) => changedAt > forgottenUpTo));
    for (const { id } of items) remembered.delete(id);
    yield;
    const byIds = merged(this.items, gone, yield* sortInSteps(items, byId), byId);
    yield;
    return new SnapshotPart(byIds, merged(this.hashed, gone, yield* sortInSteps(items, byText), byText), remembered);
  }

  /** The items that changed after version `since`. */
  changedAfter(since: number): readonly SnapshotItem[] {
    return this.items.filter(({ changedAt }) => changedAt > since);
  }

  /** What was there at version `since` and is not any more; ids that came and went since may be among it. */
  deletedAfter(since: number): readonly string[] {
    return [...this.deletions].filter(([, changedAt]) => changedAt > since).map(([id]) => id);
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

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
