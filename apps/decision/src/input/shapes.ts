/** Half of a pair or a whole one: what most text has none of, and what is found without decoding it. */
const ANY_SURROGATE = /[\ud800-\udfff]/;
const LONE_SURROGATE = /\p{Surrogate}/u;

/** A JSON object. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Text of `min` to `max` UTF-16 units. Well-formed Unicode only: two broken strings would be one and the same in UTF-8. */
export function isText(value: unknown, min: number, max: number): value is string {
  if (typeof value !== 'string' || value.length < min || value.length > max) return false;
  return !ANY_SURROGATE.test(value) || !LONE_SURROGATE.test(value);
}
