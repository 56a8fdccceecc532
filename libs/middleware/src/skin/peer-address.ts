import { canonicalAddress } from '../ip-address.js';

/** Kept on the socket: a connection has one peer, and serves many requests. */
const PEER = Symbol('peer address');

interface Peered {
  readonly remoteAddress?: string | undefined;
  [PEER]?: string | undefined;
}

/** The canonical address of a socket's peer; `unknown` when it has none any more. */
export function peerAddress(socket: object & Peered): string {
  const known = socket[PEER];
  if (known !== undefined) return known;
  const address = socket.remoteAddress === undefined ? undefined : canonicalAddress(socket.remoteAddress);
  // Not kept: a socket that is closed has lost its address, and nobody asks again.
  if (address === undefined) return 'unknown';
  socket[PEER] = address;
  return address;
}
