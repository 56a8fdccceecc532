type UndefinedKeys<T> = { [K in keyof T]-?: undefined extends T[K] ? K : never }[keyof T];

/** `T` with every field that may be undefined made optional instead. */
export type Compact<T> = Omit<T, UndefinedKeys<T>> & { [K in UndefinedKeys<T>]?: Exclude<T[K], undefined> };

/** A copy without the fields that are undefined: JSON has no undefined, and a checksum must not see one. */
export function compact<T extends object>(fields: T): Compact<T> {
  const present: Partial<T> = {};
  // Ten times as fast as by entries, and a snapshot has tens of thousands of these.
  for (const name in fields) if (fields[name] !== undefined) present[name] = fields[name];
  return present as Compact<T>;
}
