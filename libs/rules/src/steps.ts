/**
 * A long computation that can be left between two small pieces and gone on with later: it yields after each piece, a few hundred µs at the most, and
 * returns its result. What it reads must not change meanwhile.
 */
export type Steps<T> = Generator<undefined, T>;

/** Runs all of it in one go. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Few enough to be done in a fraction of a slice, and enough that stepping costs next to nothing. */
const ITEMS_A_STEP = 16;

/** Visits each item, with its index. */
export function* eachInSteps<T>(items: Iterable<T>, visit: (item: T, index: number) => void): Steps<void> {
  let at = 0;
  for (const item of items) {
    visit(item, at);
    at += 1;
    if (at % ITEMS_A_STEP === 0) yield;
  }
}

/** What `map` makes of each item, in order. */
export function* mapInSteps<T, R>(items: Iterable<T>, map: (item: T, index: number) => R): Steps<R[]> {
  const results: R[] = [];
  yield* eachInSteps(items, (item, index) => results.push(map(item, index)));
  return results;
}
