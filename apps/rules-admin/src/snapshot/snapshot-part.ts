import type { Steps } from '@sluice/rules';

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

/** The plans, the rules or the overrides of one version. It never changes: changes make the next one, which shares what stayed. */
export class SnapshotPart {
  private constructor(
    /** By id: the order of the body. */
    readonly items: readonly SnapshotItem[],
    /** Their texts, sorted: the order of the checksum. */
    readonly sortedTexts: readonly string[],
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
    const stay = this.items.filter(({ id }) => !gone.has(id));
    const goneTexts = new Set(this.items.length === stay.length ? [] : this.items.filter(({ id }) => gone.has(id)).map(({ text }) => text));
    yield;
    // New items come by id already, table by table.
    const byIds = merged(stay, items.toSorted((a, b) => compareText(a.id, b.id)), (a, b) => compareText(a.id, b.id));
    yield;
    const texts = yield* sorted(items.map(({ text }) => text));
    return new SnapshotPart(byIds, merged(goneTexts.size === 0 ? this.sortedTexts : this.sortedTexts.filter((text) => !goneTexts.has(text)), texts, compareText), remembered);
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

/** Texts that the engine sorts in one go, in about a ms. */
const RUN = 2_048;

/** Sorted runs, merged two by two: half as long again as in one go, and no pause of ten ms. */
function* sorted(texts: readonly string[]): Steps<readonly string[]> {
  let runs: (readonly string[])[] = [];
  for (let at = 0; at < texts.length; at += RUN) {
    runs.push(texts.slice(at, at + RUN).sort());
    yield;
  }
  while (runs.length > 1) {
    const longer: (readonly string[])[] = [];
    for (let at = 0; at < runs.length; at += 2) {
      longer.push(merged(runs[at] ?? [], runs[at + 1] ?? [], compareText));
      yield;
    }
    runs = longer;
  }
  return runs[0] ?? [];
}

/** Two sorted lists as one. */
function merged<T extends object | string>(old: readonly T[], fresh: readonly T[], order: (a: T, b: T) => number): readonly T[] {
  const result: T[] = [];
  let at = 0;
  for (const item of old) {
    for (let next = fresh[at]; next !== undefined && order(next, item) < 0; next = fresh[at]) {
      result.push(next);
      at += 1;
    }
    result.push(item);
  }
  return result.concat(fresh.slice(at));
}

/** By code unit, as the checksum has it. */
function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
