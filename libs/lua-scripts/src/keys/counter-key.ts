import { groupCode } from './group-code.js';
import { hashText } from './hash-text.js';
import { identityCode } from './identity-code.js';

/** Before every key unless told otherwise. */
export const DEFAULT_KEY_PREFIX = 's';

/** 132 bits: values are chosen by strangers, who must not find two that collide. */
const HASH_CHARS = 22;
/** Printable ASCII without `|` and `~`. */
const PLAIN = /^[ -{}]{1,40}$/;
/** A longer field would make a hash table of a compact group (`hash-max-listpack-value`). */
const MOST_FIELD_CHARS = 64;

/**
 * The name of one counter: `prefix{group}code|first value|second value|…`, with the code of the counting identity
 * ({@link identityCode}). What stands before the first `|` is the Redis key of a hash, the rest is the counter's field in it
 * ({@link counterPlace}); only a sliding log is a key of its own, under the whole name. The group, which is the hash tag, comes from the
 * first value alone ({@link groupCode}), so that the counters of one caller share a slot; without values it comes from the code.
 *
 * Injective (R11): the code has one length, a value that stands as it is holds neither separator, and any other (long, not ASCII, empty, with a
 * separator) is a `~` and its hash; a field of more than 64 characters is a `|` and the hash of all. ASCII, and but for the prefix at most 81 characters.
 *
 * @param identity Rule id, algorithm and window: neither limit nor version.
 * @param values The attribute values that are counted by, in the rule's order.
 * @param prefix Keeps several deployments apart on one store; must not hold `{` or `|`, which {@link keyPrefix} checks.
 */
export function counterKey(identity: string, values: readonly string[], prefix: string = DEFAULT_KEY_PREFIX): string {
  const code = identityCode(identity);
  const [first] = values;
  if (first === undefined) return `${prefix}{${groupCode(prefix, code)}}${code}`;
  let field = fieldPart(first);
  for (let i = 1; i < values.length; i += 1) field += `|${fieldPart(values[i] ?? '')}`;
  if (field.length > MOST_FIELD_CHARS) field = `|${hashText(field, HASH_CHARS)}`;
  return `${prefix}{${groupCode(prefix, first)}}${code}|${field}`;
}

function fieldPart(value: string): string {
  return PLAIN.test(value) ? value : `~${hashText(value, HASH_CHARS)}`;
}

/** Checks a configured prefix once; throws a RangeError for one that is long, not printable, or would break the hash tag. */
export function keyPrefix(text: string): string {
  if (!/^[!-z]{0,16}$/.test(text)) throw new RangeError(`a key prefix is up to 16 printable ASCII characters without { | } ~, not ${JSON.stringify(text)}`);
  return text;
}
