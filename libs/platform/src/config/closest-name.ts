/** Edits (insert, delete, replace) that turn `from` into `to`. */
function distance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i += 1) {
    const current = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const replaced = (previous[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[to.length] ?? 0;
}

/** The candidate that `name` most likely misspells: at most three edits away, the first of the nearest. */
export function closestName(name: string, candidates: Iterable<string>): string | undefined {
  let best: { readonly name: string; readonly edits: number } | undefined;
  for (const candidate of candidates) {
    const edits = distance(name, candidate);
    if (edits <= 3 && (best === undefined || edits < best.edits)) best = { name: candidate, edits };
  }
  return best?.name;
}
