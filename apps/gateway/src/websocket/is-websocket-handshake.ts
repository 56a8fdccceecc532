import type { IncomingMessage } from 'node:http';

/**
 * Whether a request opens a WebSocket (RFC 6455, section 4.1). Every other upgrade (`h2c`, and what is malformed) is answered as the plain
 * request that it also is, which RFC 9110, section 7.8 allows: what is tunnelled is out of sight, so nothing is that need not be.
 */
export function isWebSocketHandshake({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): boolean {
  return (
    method === 'GET' &&
    headers.upgrade?.trim().toLowerCase() === 'websocket' &&
    headers['sec-websocket-key'] !== undefined &&
    headers['sec-websocket-version'] === '13' &&
    headers['transfer-encoding'] === undefined &&
    (headers['content-length'] ?? '0') === '0'
  );
}
