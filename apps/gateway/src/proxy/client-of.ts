import { canonicalAddress, clientAddress, type TrustedProxies } from '@sluice/middleware';
import type { IncomingHttpHeaders } from 'node:http';

/** Where a request comes from. */
export interface Client {
  /** Canonical address of the client, as far as our own proxies say (R77). */
  readonly address: string;
  /** Canonical address of the connection's peer. */
  readonly peer: string;
  readonly peerTrusted: boolean;
}

/** The part of a Fastify request that says so. */
export interface Addressed {
  readonly headers: IncomingHttpHeaders;
  readonly raw: { readonly socket: { readonly remoteAddress?: string | undefined } };
}

/** Says where requests come from. The peer of a connection is worked out once: all its requests have the same. */
export function clientsBy(proxies: TrustedProxies): (request: Addressed) => Client {
  const peers = new WeakMap<object, Client>();
  return ({ headers, raw: { socket } }) => {
    let peer = peers.get(socket);
    if (peer === undefined) {
      peer = peerOf(socket.remoteAddress, proxies);
      peers.set(socket, peer);
    }
    const forwarded = headers['x-forwarded-for'];
    if (!peer.peerTrusted || forwarded === undefined) return peer;
    return { ...peer, address: clientAddress(socket.remoteAddress, Array.isArray(forwarded) ? forwarded.join(',') : forwarded, proxies) };
  };
}

function peerOf(remoteAddress: string | undefined, proxies: TrustedProxies): Client {
  const peer = canonicalAddress(remoteAddress ?? '') ?? 'unknown';
  return { address: peer, peer, peerTrusted: proxies.trusts(peer, 0) };
}
