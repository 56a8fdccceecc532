import { canonicalAddress } from '../ip-address.js';

/** Kept on the socket: a connection has one peer, and serves many requests. */
const PEER = Symbol('peer address');
/** Whoever is at the other end of a Unix socket is on this machine. */
export const LOOPBACK = '127.0.0.1';

/** What is read of a connection. */
export interface Peered {
  readonly remoteAddress?: string | undefined;
  readonly destroyed?: boolean | undefined;
  /** The server that it came to; node:net and node:tls say so. */
  readonly server?: unknown;
  [PEER]?: string | undefined;
}

/** The canonical address of a socket's peer, the loopback for a Unix socket; `unknown` when it has none any more. */
export function peerAddress(socket: object & Peered): string {
  const known = socket[PEER];
  if (known !== undefined) return known;
  const { remoteAddress } = socket;
  const address = remoteAddress === undefined ? (isUnixPeer(socket) ? LOOPBACK : undefined) : canonicalAddress(remoteAddress);
  // Not kept: a socket that is closed has lost its address, and nobody asks again.
  if (address === undefined) return 'unknown';
  socket[PEER] = address;
  return address;
}

/**
 * Whether nobody is at the other end any more. Who resets a connection as soon as the request is sent may have no address by the time it is read: all of those
 * would share one counter beside that of their address.
 */
export function isGone(socket: object & Peered): boolean {
  return socket.destroyed === true || (socket[PEER] === undefined && socket.server !== undefined && peerAddress(socket) === 'unknown');
}

/** Whether a connection came over a Unix socket, which is not what the lack of an address says: a TCP connection that was reset has none either. */
export function isUnixPeer({ server }: Peered): boolean {
  if (!isAddressed(server)) return false;
  const address = server.address();
  // A socket that was handed over by its number has no path.
  return typeof address === 'string' || (address === null && server.listening === true);
}

function isAddressed(server: unknown): server is { address(): unknown; readonly listening?: unknown } {
  return typeof server === 'object' && server !== null && 'address' in server && typeof server.address === 'function';
}
