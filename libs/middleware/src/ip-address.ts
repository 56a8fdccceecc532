import { isIP, SocketAddress } from 'node:net';

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/;

/**
 * One canonical text for an address however it was written: brackets, port and zone id go, IPv6 is in RFC 5952 form, an
 * IPv4-mapped address is its IPv4 (known failures 70, 71). `undefined` when it is no address.
 * Accepted: `1.2.3.4`, `1.2.3.4:80`, `2001:db8::1`, `[2001:db8::1]`, `[2001:db8::1]:80`, `fe80::1%eth0`, each with blanks around.
 */
export function canonicalAddress(text: string): string | undefined {
  const bare = withoutPort(text.trim());
  const zone = bare.indexOf('%');
  const address = zone < 0 ? bare : bare.slice(0, zone);
  const family = isIP(address);
  if (family === 4) return address;
  if (family !== 6) return undefined;
  const canonical = new SocketAddress({ address, family: 'ipv6' }).address;
  return MAPPED.exec(canonical)?.[1] ?? canonical;
}

function withoutPort(text: string): string {
  if (text.startsWith('[')) return /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)?.[1] ?? '';
  return /^([\d.]+):\d{1,5}$/.exec(text)?.[1] ?? text;
}
