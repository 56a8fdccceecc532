import { groupCode } from './group-code.js';
import { hashText } from './hash-text.js';
import { identityCodes } from './identity-code.js';

/** Before every key unless told otherwise. */
export const DEFAULT_KEY_PREFIX = 's';

/** 132 bits: values are chosen by strangers, who must not find two that collide. */
const HASH_CHARS = 22;
/** Printable ASCII without `|` and `~`. */
const PLAIN = /^[ -{}]{1,40}$/;
/** A longer field would make a hash table of a compact group (`hash-max-listpack-value`). */
export const MOST_FIELD_CHARS = 64;
/** What the code and a separator leave of it. */
const MOST_VALUES_CHARS = MOST_FIELD_CHARS - 12;

/**
 * The name of one counter: `prefix{group}family|code|first value|second value|…`. What stands before the first `|` is the Redis key of a
 * hash, the rest is the counter's field in it ({@link counterPlace}); only a sliding log is a key of its own, under the whole name. The group,
 * which is the hash tag, comes from the first value alone ({@link groupCode}), so that the counters of one caller share a slot; without values it
 * comes from the code. Family and code are those of the counting identity ({@link identityCodes}).
 *
 * Injective (R11): the code has one length, a value that stands as it is holds neither separator, and any other (long, not ASCII, empty, with a
 * separator) is a `~` and its hash; values of more than 52 characters together are a `|` and the hash of all.
 *
 * @param identity Rule id, algorithm and window, as `countingIdentity` of `@sluice/rules` makes it: neither limit nor version.
 * @param values The attribute values that are counted by, in the rule's order.
 * @param prefix Keeps several deployments apart on one store; must not hold `{` or `|`, which {@link keyPrefix} checks.
 */
export function counterKey(identity: string, values: readonly string[], prefix: string = DEFAULT_KEY_PREFIX): string {
  const { code, family } = identityCodes(identity);
  const [first] = values;
  if (first === undefined) return `${prefix}{${groupCode(prefix, code)}}${family}|${code}`;
  let text = valueText(first);
  for (let i = 1; i < values.length; i += 1) text += `|${valueText(values[i] ?? '')}`;
  if (text.length > MOST_VALUES_CHARS) text = `|${hashText(text, HASH_CHARS)}`;
  return `${prefix}{${groupCode(prefix, first)}}${family}|${code}|${text}`;
}

function valueText(value: string): string {
  return PLAIN.test(value) ? value : `~${hashText(value, HASH_CHARS)}`;
}

/** Checks a configured prefix once; throws a RangeError for one that is long, not printable, or would break the hash tag. */
export function keyPrefix(text: string): string {
  if (!/^[!-z]{0,16}$/.test(text)) throw new RangeError(`a key prefix is up to 16 printable ASCII characters without { | } ~, not ${JSON.stringify(text)}`);
  return text;
}
