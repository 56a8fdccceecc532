const DOT = 46;
const COLON = 58;
const ZERO = 48;

/**
 * Writes the network of a canonical address as four 32-bit words: an IPv4 address by itself, an IPv6 address by its first `prefix` bits,
 * since one client has as many of the rest as it likes. IPv4 is written as the mapped addresses that `canonicalAddress` never lets
 * through, so that the two cannot meet. Allocates nothing.
 *
 * @returns false for what is no address
 */
export function networkWords(address: string, prefix: number, words: Uint32Array): boolean {
  if (!address.includes(':')) return ipv4Words(address, words);
  if (!ipv6Words(address.includes('.') ? withoutDots(address) : address, words)) return false;
  for (let at = 0; at < 4; at += 1) {
    const bits = Math.min(32, Math.max(0, prefix - at * 32));
    // A shift by 32 is one by 0.
    words[at] = bits === 0 ? 0 : ((words[at] ?? 0) & (-1 << (32 - bits))) >>> 0;
  }
  return true;
}

function ipv4Words(address: string, words: Uint32Array): boolean {
  let value = 0;
  let part = 0;
  let dots = 0;
  for (let at = 0; at < address.length; at += 1) {
    const code = address.charCodeAt(at);
    if (code === DOT) {
      value = value * 256 + part;
      part = 0;
      dots += 1;
    } else if (code >= ZERO && code < ZERO + 10) {
      part = part * 10 + code - ZERO;
    } else {
      return false;
    }
  }
  words[0] = 0;
  words[1] = 0;
  words[2] = 0xffff;
  words[3] = value * 256 + part;
  return dots === 3;
}

/** `::1.2.3.4` as `::102:304`: rare enough to make a string of it. */
function withoutDots(address: string): string {
  const tail = address.lastIndexOf(':') + 1;
  const [a = 0, b = 0, c = 0, d = 0] = address.slice(tail).split('.').map(Number);
  return `${address.slice(0, tail)}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}

/** Groups before `::` are counted from the front, those behind it from the back. */
function ipv6Words(address: string, words: Uint32Array): boolean {
  words.fill(0);
  const groups = countGroups(address);
  let index = 0;
  let group = 0;
  for (let at = 0; at <= address.length; at += 1) {
    const code = at < address.length ? address.charCodeAt(at) : COLON;
    if (code !== COLON) {
      const digit = hexDigit(code);
      if (digit < 0) return false;
      group = group * 16 + digit;
      continue;
    }
    // The colon at the very front of `::1` ends no group.
    if (at > 0 && address.charCodeAt(at - 1) !== COLON) setGroup(words, index++, group);
    group = 0;
    if (address.charCodeAt(at + 1) === COLON) index = 8 - (groups - index);
  }
  return index <= 8;
}

function countGroups(address: string): number {
  let groups = 0;
  for (let at = 0; at < address.length; at += 1) {
    if (address.charCodeAt(at) !== COLON && (at === 0 || address.charCodeAt(at - 1) === COLON)) groups += 1;
  }
  return groups;
}

function setGroup(words: Uint32Array, index: number, group: number): void {
  const word = index >> 1;
  words[word] = index % 2 === 0 ? group * 0x1_0000 : (words[word] ?? 0) + group;
}

function hexDigit(code: number): number {
  if (code >= ZERO && code < ZERO + 10) return code - ZERO;
  // Canonical addresses are lower case.
  return code >= 97 && code <= 102 ? code - 87 : -1;
}
