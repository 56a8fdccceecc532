import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/**
 * Whether a connection showed a client certificate that our CA has signed. False where none are asked for. A session that is resumed is as
 * certified as it was.
 */
export function isCertified(socket: Socket): boolean {
  return socket instanceof TLSSocket && socket.authorized;
}
