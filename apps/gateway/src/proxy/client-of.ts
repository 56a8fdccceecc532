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

export function clientOf({ headers, raw }: Addressed, proxies: TrustedProxies): Client {
  const { remoteAddress } = raw.socket;
  const forwarded = headers['x-forwarded-for'];
  const peer = canonicalAddress(remoteAddress ?? '') ?? 'unknown';
  return {
    address: clientAddress(remoteAddress, Array.isArray(forwarded) ? forwarded.join(',') : forwarded, proxies),
    peer,
    peerTrusted: proxies.trusts(peer, 0),
  };
}
