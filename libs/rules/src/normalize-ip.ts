import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** How many leading bits make one client. */
export interface IpPrefixes {
  /** 0 to 32. */
  readonly v4Prefix: number;
  /** 0 to 128; one subscriber usually has at least a /64. */
  readonly v6Prefix: number;
}

const DEFAULT_PREFIXES: IpPrefixes = { v4Prefix: 32, v6Prefix: 64 };

/** RFC 6052: an IPv4 client that comes through a translator, its address in the last 32 bits. */
const NAT64 = [0x64, 0xff9b, 0, 0, 0, 0];
/** RFC 4291 section 2.5.5.2: the same IPv4 client, seen through a dual-stack socket. */
const IPV4_MAPPED = [0, 0, 0, 0, 0, 0xffff];
/** Loopback, IPv4-compatible and IPv4-translated (RFC 2765) addresses: nobody's subnet, so each address there is its own. */
const SPECIAL = [0, 0, 0, 0];

/**
 * The client that an address stands for, as text for a counter's key (R11, known failure 70): IPv4 as it is, IPv4-mapped IPv6 as the
 * IPv4 address that it is, other IPv6 by subnet (`2001:db8:1:2::/64`), NAT64 by the embedded address. Zone ids, brackets and
 * ports are dropped. Undefined for what is no address, such as `unknown`, `1.2.3` or `0x7f.1`.
 */
export function normalizeIp(text: string, { v4Prefix, v6Prefix }: IpPrefixes = DEFAULT_PREFIXES): string | undefined {
  const bare = bareAddress(text);
  const family = isIP(bare);
  if (family === 0) return undefined;
  // What isIP takes for IPv4 has no other spelling.
  if (family === 4 && v4Prefix >= 32) return bare;
  if (family === 4) return v4Subnet(ipaddr.IPv4.parse(bare).octets, v4Prefix);
  // ipaddr.js takes ::1.2.3.4 for ::ffff:1.2.3.4; written with a zero in front, it does not.
  const { parts } = ipaddr.IPv6.parse(/^::[\d.]+$/.test(bare) ? `0${bare}` : bare);
  if (startsWith(parts, IPV4_MAPPED)) return v4Subnet(parts.slice(6).flatMap((part) => [part >> 8, part & 0xff]), v4Prefix);
  if (startsWith(parts, NAT64)) return v6Subnet(parts, 96 + v4Prefix);
  return v6Subnet(parts, startsWith(parts, SPECIAL) ? 128 : v6Prefix);
}

function bareAddress(text: string): string {
  const bracketed = /^\[([^[\]]*:[^[\]]*)\](?::\d{1,5})?$/.exec(text)?.[1];
  const address = bracketed ?? /^([\d.]+):\d{1,5}$/.exec(text)?.[1] ?? text;
  const zone = address.indexOf('%');
  return zone > 0 && address.includes(':') ? address.slice(0, zone) : address;
}

function startsWith(parts: readonly number[], prefix: readonly number[]): boolean {
  return prefix.every((part, at) => parts[at] === part);
}

function v4Subnet(octets: readonly number[], prefix: number): string {
  const masked = octets.map((octet, at) => octet & mask(8, prefix - 8 * at));
  return prefix >= 32 ? masked.join('.') : `${masked.join('.')}/${String(prefix)}`;
}

function v6Subnet(parts: readonly number[], prefix: number): string {
  const masked = new ipaddr.IPv6(parts.map((part, at) => part & mask(16, prefix - 16 * at))).toString();
  return prefix >= 128 ? masked : `${masked}/${String(prefix)}`;
}

/** The first `ones` of `width` bits. */
function mask(width: number, ones: number): number {
  const zeros = width - Math.max(0, Math.min(width, ones));
  return ((1 << width) - 1) ^ ((1 << zeros) - 1);
}
