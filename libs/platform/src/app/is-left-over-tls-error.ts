import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/**
 * Whether an error of a connection is what OpenSSL left over from looking at the client's certificate: where one names our CA as its issuer, and another key
 * signed it, the failed check of the signature stays in the queue of errors, and node takes it for one of the connection (node 24.21). The connection is sound,
 * and not authorized; it comes that far only where certificates are not insisted on.
 */
export function isLeftOverTlsError(error: { readonly code?: string }, socket: Socket): boolean {
  return socket instanceof TLSSocket && !socket.destroyed && String(socket.authorizationError) === 'CERT_SIGNATURE_FAILURE' && error.code?.startsWith('ERR_SSL_') === true;
}
