import type { Socket } from 'node:net';

/** By mark and not by the lack of an address: a TCP connection that is gone has none either. */
const peers = new WeakSet<Socket>();

/** For the `connection` event of a server that listens on a Unix socket. */
export function markUnixPeer(socket: Socket): void {
  peers.add(socket);
}

/** Whether a connection came over a Unix socket of ours. */
export function isUnixPeer(socket: Socket): boolean {
  return peers.has(socket);
}
