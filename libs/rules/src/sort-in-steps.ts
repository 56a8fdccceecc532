import type { Steps } from './steps.js';

/** Sorted in one go by the engine's own sort, which takes some tens of µs. */
const RUN_ITEMS = 128;
/** Items between two steps of a merge. */
const MERGED_A_STEP = 128;

/** A sorted copy, as `toSorted` makes it, equal items in their order: short runs are sorted, then merged two by two. */
export function* sortInSteps<T>(items: readonly T[], compare: (a: T, b: T) => number): Steps<readonly T[]> {
  let runs: (readonly T[])[] = [];
  for (let from = 0; from < items.length; from += RUN_ITEMS) {
    runs.push(items.slice(from, from + RUN_ITEMS).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const merged: (readonly T[])[] = [];
    for (let at = 0; at < runs.length; at += 2) merged.push(yield* merge(runs[at] ?? [], runs[at + 1] ?? [], compare));
    runs = merged;
  }
  return runs[0] ?? [];
}

function* merge<T>(left: readonly T[], right: readonly T[], compare: (a: T, b: T) => number): Steps<readonly T[]> {
  const merged: T[] = [];
  const rest = right[Symbol.iterator]();
  let other = rest.next();
  for (const item of left) {
    // Of equal ones the left comes first.
    while (other.done !== true && compare(other.value, item) < 0) {
      if (merged.push(other.value) % MERGED_A_STEP === 0) yield;
      other = rest.next();
    }
    if (merged.push(item) % MERGED_A_STEP === 0) yield;
  }
  for (; other.done !== true; other = rest.next()) {
    if (merged.push(other.value) % MERGED_A_STEP === 0) yield;
  }
  return merged;
}
