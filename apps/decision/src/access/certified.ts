import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

const certified = new WeakMap<Socket, boolean>();

/**
 * Whether a connection showed a client certificate that our CA has signed; looked at once a connection. Not `authorized` alone: node calls
 * a resumed TLS 1.3 session authorized though there was no certificate in it, since it cannot be told from a pre-shared key.
 */
export function isCertified(socket: Socket): boolean {
  if (!(socket instanceof TLSSocket)) return false;
  let is = certified.get(socket);
  if (is === undefined) {
    is = socket.authorized && socket.getPeerX509Certificate() !== undefined;
    certified.set(socket, is);
  }
  return is;
}
