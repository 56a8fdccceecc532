import { clientAddress, type TrustedProxies } from '@sluice/middleware';
import type { FastifyRequest } from 'fastify';
import { isUnixPeer } from '../access/unix-peers.js';

/** Whoever is at the other end of a Unix socket is on this machine. */
const LOOPBACK = '127.0.0.1';

/**
 * The client's address as the asking proxy says, where it is one of ours (R77). From `X-Forwarded-For` alone: of other fields, such as
 * `X-Real-IP`, nobody knows whether the proxy or the client wrote them.
 */
export function clientIp({ headers, raw: { socket } }: FastifyRequest, proxies: TrustedProxies): string {
  const forwarded = headers['x-forwarded-for'];
  return clientAddress(isUnixPeer(socket) ? LOOPBACK : socket.remoteAddress, Array.isArray(forwarded) ? forwarded.join(',') : forwarded, proxies);
}
