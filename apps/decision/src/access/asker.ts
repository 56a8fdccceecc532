import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { isCertified } from './certified.js';
import { isUnixPeer } from './unix-peers.js';

/** What is known of whoever asks, over HTTP or gRPC. */
export interface Asker {
  /** Value of the field `Authorization`. */
  readonly authorization: string | undefined;
  /** Address of the connection's peer; undefined on the Unix socket, and when the connection is gone. */
  readonly remoteAddress: string | undefined;
  /** The connection showed a client certificate that our CA has signed. */
  readonly certified: boolean;
  /** It came over the Unix socket, whose file says who may. */
  readonly viaSocket: boolean;
}

/** The part of an HTTP request that names who asks; a Fastify request is one. */
export interface AskingRequest {
  readonly headers: Pick<IncomingHttpHeaders, 'authorization'>;
  readonly raw: { readonly socket: Socket };
}

/** Who sent an HTTP request. */
export function askerOf({ headers, raw }: AskingRequest): Asker {
  return askerAt(raw.socket, headers.authorization);
}

/** Who is at the other end of a connection. */
export function askerAt(socket: Socket, authorization: string | undefined): Asker {
  return { authorization, remoteAddress: socket.remoteAddress, certified: isCertified(socket), viaSocket: isUnixPeer(socket) };
}
