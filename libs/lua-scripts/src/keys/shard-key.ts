import { counterPlace } from './counter-place.js';
import { GROUPS, groupHash, groupText } from './group-code.js';
import { hashText } from './hash-text.js';
import { tagSlot } from './key-slot.js';

const HASH_CHARS = 22;
/** A longer field would make a hash table of a compact group (`hash-max-listpack-value`). */
const MOST_FIELD_CHARS = 64;
const SLOTS = 16_384;
/** How exactly a shard's place is met, in parts of all slots: about so many groups are tried for it, in some µs. */
const SECTIONS = 64;
/** Odd, so that all groups come in turn. */
const STEP = 40_503;

/**
 * The name of shard `at` of `of` of the counter that is called `name` ({@link counterKey}) when it is not split (R28). Also a group and a field
 * (`~~at/of|field`), and injective with all other names: the field of a whole counter begins with a code, which holds no `~`.
 *
 * The group is chosen by its slot: the shards of one counter lie at equal distances in the slots, from a place that differs by counter, so that
 * masters that have as many slots each get as many shards, give or take one.
 */
export function shardKey(name: string, at: number, of: number): string {
  const { group, field } = counterPlace(name);
  const tagEnd = group.indexOf('}');
  const prefix = group.slice(0, group.indexOf('{'));
  const number = `~~${at}/${of}`;
  let own = `${number}|${field}`;
  if (own.length > MOST_FIELD_CHARS) own = `${number}||${hashText(field, HASH_CHARS)}`;
  const hash = groupHash(prefix, name);
  const section = Math.floor((SECTIONS * (at + hash / 2 ** 32)) / of);
  return `${prefix}{${groupIn(section, hash)}}${group.slice(tagEnd + 1)}|${own}`;
}

function groupIn(section: number, hash: number): string {
  let group = hash % GROUPS;
  let text = groupText(group);
  while (Math.floor((tagSlot(text) * SECTIONS) / SLOTS) !== section) {
    group = (group + STEP) % GROUPS;
    text = groupText(group);
  }
  return text;
}
