/** Pairs of neighbours, whatever the case: `redisURL` has those of `redisUrl`. */
function pairsOf(name: string): Set<string> {
  const text = name.toLowerCase();
  return new Set(Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2)));
}

/** Of two names; 1 for the same, 0 where nothing is. */
function likeness(one: Set<string>, other: Set<string>): number {
  let shared = 0;
  for (const pair of one) if (other.has(pair)) shared += 1;
  return (2 * shared) / (one.size + other.size || 1);
}

/** How much two names must have in common to be taken for one that was misspelled. */
const LIKE = 0.5;

/**
 * The option that `name` most likely means. By what the names share and not by how many letters differ, since options are rather remembered wrongly
 * (`trustProxies`, `redisURL`) than mistyped.
 */
export function closestOption(name: string, known: readonly string[]): string | undefined {
  const pairs = pairsOf(name);
  const [best] = known.map((option) => ({ option, like: likeness(pairs, pairsOf(option)) })).sort((one, other) => other.like - one.like);
  return best !== undefined && best.like >= LIKE ? best.option : undefined;
}
