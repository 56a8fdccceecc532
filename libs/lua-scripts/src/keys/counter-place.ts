/** Where a counter is kept: a field of a hash that it shares with others. */
export interface CounterPlace {
  /** The Redis key of the hash. */
  readonly group: string;
  readonly field: string;
}

/** Takes a name that `counterKey` made apart. A name without `|` is a group, of which the counter is the field ''. */
export function counterPlace(name: string): CounterPlace {
  const end = name.indexOf('|');
  return end < 0 ? { group: name, field: '' } : { group: name.slice(0, end), field: name.slice(end + 1) };
}
