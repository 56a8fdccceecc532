const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Groups that there are. */
export const GROUPS = 2 ** 16;

/**
 * The group of a first value, one of 65,536: FNV-1a over its UTF-16 units, mixed once more (murmur3's finaliser), as three characters.
 * Every node must find the same group, so there is no random seed, and with 16 bits nothing would keep a stranger from finding values of one group:
 * see README "Groups" for what that does. The prefix goes in first, so that one that strangers do not know keeps them from it.
 */
export function groupCode(prefix: string, value: string): string {
  return groupText(groupHash(prefix, value) % GROUPS);
}

/** 32 bits, of which a group takes the lower 16. */
export function groupHash(prefix: string, value: string): number {
  let hash = mix(mix(0x811c9dc5, prefix), value);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** The three characters of the group with this number. */
export function groupText(group: number): string {
  return ALPHABET.charAt(group >> 12) + ALPHABET.charAt((group >> 6) & 63) + ALPHABET.charAt(group & 63);
}

function mix(hash: number, text: string): number {
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash;
}
