import { canonicalAddress } from './ip-address.js';
import { copiedText } from './flat-text.js';
import type { TrustedProxies } from './trusted-proxies.js';

/** Characters of a chain that may be kept alive by an address that was cut out of it. */
const SHORT_CHAIN = 128;

/**
 * The address that a request came from (R77). The chain is read from the right, where our own proxies write, and ends at the
 * first hop that is not one of them; what stands left of it is the client's word and is not looked at. If that hop is no valid
 * address, the socket's own is the answer.
 *
 * @param socketAddress peer of the TCP connection
 * @param xForwardedFor value of the field; several fields joined by commas, as node:http does
 * @returns canonical text, see {@link canonicalAddress}; `unknown` when even the socket has none (already closed)
 */
export function clientAddress(socketAddress: string | undefined, xForwardedFor: string | undefined, proxies: TrustedProxies): string {
  const socket = socketAddress === undefined ? undefined : canonicalAddress(socketAddress);
  if (socket === undefined) return 'unknown';
  let client = socket;
  let rest = xForwardedFor;
  for (let index = 0; rest !== undefined && proxies.trusts(client, index); index++) {
    const comma = rest.lastIndexOf(',');
    const address = canonicalAddress(rest.slice(comma + 1));
    if (address === undefined) return socket;
    client = address;
    rest = comma < 0 ? undefined : rest.slice(0, comma);
  }
  // What it was cut out of is the client's word too, as long as it likes.
  return xForwardedFor !== undefined && xForwardedFor.length > SHORT_CHAIN ? copiedText(client) : client;
}
