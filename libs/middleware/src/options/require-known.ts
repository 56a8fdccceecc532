import { closestOption } from './closest-option.js';

/** The names of all options of `T`: the compiler wants each of them, and no other. */
export type NamesOf<T> = Readonly<Record<keyof T, true>>;

/**
 * Options that are taken in silence are limits that somebody believes in: what sets a limit elsewhere (`windowMs`, `max`) does nothing here.
 *
 * @param where who takes them, such as `rateLimit`
 * @throws TypeError for what is no object of options, and for an option that is none, with the one that was likely meant
 */
export function requireKnown(where: string, options: unknown, known: Readonly<Record<string, true>>): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) throw new TypeError(`${where} takes an object of options, not ${options === null ? 'null' : typeof options}`);
  for (const [name, value] of Object.entries(options)) {
    // What is undefined is not there.
    if (value === undefined || Object.hasOwn(known, name)) continue;
    const names = Object.keys(known);
    const meant = closestOption(name, names);
    throw new TypeError(`${where} has no option ${name}${meant === undefined ? `: there are ${names.join(', ')}; how much and how long is a matter of rules` : `; did you mean ${meant}?`}`);
  }
}
