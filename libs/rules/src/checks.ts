import type { FaultList } from './fault-list.js';

/** Checks one JSON value: the value with its type, or undefined after a fault was added under `pointer`. */
export type Check<T> = (value: unknown, pointer: string, faults: FaultList) => T | undefined;

function check<T>(accepts: (value: unknown) => value is T, detail: string): Check<T> {
  return (value, pointer, faults) => {
    if (accepts(value)) return value;
    faults.push({ pointer, detail });
    return undefined;
  };
}

/** An integer; `"5"`, 1.5, NaN and numbers beyond 2^53-1 are none. */
export function integerBetween(min: number, max: number): Check<number> {
  return check(
    (value): value is number => typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max,
    `must be an integer between ${String(min)} and ${String(max)}`,
  );
}

/** One of the listed strings. */
export function oneOf<const T extends string>(choices: readonly T[]): Check<T> {
  return check(
    (value): value is T => choices.some((choice) => choice === value),
    `must be one of ${choices.join(', ')}`,
  );
}

/** A string that matches the (anchored) pattern. `__proto__` is refused whatever the pattern: it is no safe property name. */
export function matching(pattern: RegExp): Check<string> {
  return check(
    (value): value is string => typeof value === 'string' && pattern.test(value) && value !== '__proto__',
    `must be a string that matches ${pattern.source} and is not __proto__`,
  );
}

/** Free text of 1 to `maxLength` UTF-16 units, without control characters. */
export function text(maxLength: number): Check<string> {
  return check(
    // eslint-disable-next-line no-control-regex -- control characters are what it is about
    (value): value is string => typeof value === 'string' && value.length >= 1 && value.length <= maxLength && !/[\u0000-\u001f\u007f]/.test(value),
    `must be a string of 1 to ${String(maxLength)} characters, none of them a control character`,
  );
}

export const flag: Check<boolean> = check((value): value is boolean => typeof value === 'boolean', 'must be true or false');
