import { hashText } from './hash-text.js';
import { identityCode } from './identity-code.js';

/** Before every key unless told otherwise. */
export const DEFAULT_KEY_PREFIX = 's';

/** 132 bits: values are chosen by strangers, who must not find two that collide. */
const HASH_CHARS = 22;
/** In the hash tag: printable ASCII without `{ | } ~` and blank. */
const PLAIN_TAG = /^[!-z]{1,40}$/;
/** After it: printable ASCII without `|` and `~`. */
const PLAIN = /^[ -{}]{1,40}$/;

/**
 * The Redis key of one counter: `prefix{first value}code|second value|…`, with the code of the counting identity
 * ({@link identityCode}). Injective (R11): the code has one length, a value that stands as it is holds neither separator, and any
 * other (long, not ASCII, empty, with a separator) is a `~` and its hash. The hash tag is made from the first value alone, so that
 * the counters of one caller share a slot; without values it is the code. The key is ASCII and, but for the prefix, at most
 * 15 + 41 characters for each value long.
 *
 * @param identity Rule id, algorithm and window: neither limit nor version.
 * @param values The attribute values that are counted by, in the rule's order.
 * @param prefix Keeps several deployments apart on one store; must not hold `{`, which {@link keyPrefix} checks.
 */
export function counterKey(identity: string, values: readonly string[], prefix: string = DEFAULT_KEY_PREFIX): string {
  const code = identityCode(identity);
  const [first] = values;
  if (first === undefined) return `${prefix}{${code}}`;
  let key = `${prefix}{${PLAIN_TAG.test(first) ? first : `~${hashText(first, HASH_CHARS)}`}}${code}`;
  for (let i = 1; i < values.length; i += 1) {
    const value = values[i] ?? '';
    key += PLAIN.test(value) ? `|${value}` : `|~${hashText(value, HASH_CHARS)}`;
  }
  return key;
}

/** Checks a configured prefix once; throws a RangeError for one that is long, not printable, or would break the hash tag. */
export function keyPrefix(text: string): string {
  if (!/^[!-z]{0,16}$/.test(text)) throw new RangeError(`a key prefix is up to 16 printable ASCII characters without { | } ~, not ${JSON.stringify(text)}`);
  return text;
}
