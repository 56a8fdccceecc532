import { createHash } from 'node:crypto';
import { type IncomingHttpHeaders, type IncomingMessage, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Duplex } from 'node:stream';
import { isTransferCoded, UnknownCoding } from '../proxy/transfer-coding.js';

/** What an upstream said to a handshake. */
export type HandshakeAnswer =
  /** `head` is what came behind the answer already. */
  | { readonly kind: 'accepted'; readonly headers: IncomingHttpHeaders; readonly socket: Duplex; readonly head: Buffer }
  /** Any other answer, to be passed on as it is. */
  | { readonly kind: 'refused'; readonly response: IncomingMessage };

export interface HandshakeOptions {
  readonly upstreamUrl: string;
  readonly path: string;
  /** Without what belongs to a connection: that is added here. */
  readonly headers: IncomingHttpHeaders;
  readonly timeoutMs: number;
  /** Until more of an answer that is no agreement. */
  readonly stallTimeoutMs: number;
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal;
}

/** Code of a fault when the answer took too long. */
export const HANDSHAKE_LATE = 'HANDSHAKE_LATE';

/** The upstream did not answer the handshake, or not as RFC 6455, section 4.2.2 has it. */
export class HandshakeFault extends Error {
  override readonly name = 'HandshakeFault';

  constructor(
    message: string,
    /** Whether the upstream was reached, so that it may have done something. */
    readonly reached: boolean,
    readonly code?: typeof HANDSHAKE_LATE,
  ) {
    super(message);
  }
}

/**
 * Opens a WebSocket to the upstream, on a connection of its own. Nothing is a tunnel before the upstream has agreed, and proved that it knows
 * what it agreed to.
 *
 * @throws HandshakeFault
 */
export function shakeHands({ upstreamUrl, path, headers, timeoutMs, stallTimeoutMs, signal }: HandshakeOptions): Promise<HandshakeAnswer> {
  const base = new URL(upstreamUrl);
  const send = base.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const sent = send(base, { path, headers: { ...headers, host: base.host, connection: 'Upgrade', upgrade: 'websocket' }, agent: false, signal });
    let reached = false;
    sent.on('socket', (socket) => socket.once(base.protocol === 'https:' ? 'secureConnect' : 'connect', () => (reached = true)));
    const timer = setTimeout(() => sent.destroy(new HandshakeFault('no answer in time', reached, HANDSHAKE_LATE)), timeoutMs);
    const settled = (): void => clearTimeout(timer);
    sent.on('error', (error) => {
      settled();
      reject(error instanceof HandshakeFault ? error : new HandshakeFault(error.message, reached));
    });
    sent.on('response', (response) => {
      settled();
      sent.setTimeout(stallTimeoutMs, () => response.destroy(new HandshakeFault('the answer stalled', reached)));
      if (!isTransferCoded(response.headers['transfer-encoding'])) return resolve({ kind: 'refused', response });
      response.destroy();
      reject(new HandshakeFault(new UnknownCoding().message, reached));
    });
    sent.on('upgrade', (response, socket, head) => {
      settled();
      if (isAgreement(response, headers['sec-websocket-key'])) return resolve({ kind: 'accepted', headers: response.headers, socket, head });
      socket.destroy();
      reject(new HandshakeFault('it switched to something else', reached));
    });
    sent.end();
  });
}

function isAgreement({ headers }: IncomingMessage, key: string | undefined): boolean {
  const accept = createHash('sha1').update(`${key ?? ''}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
  return headers.upgrade?.toLowerCase() === 'websocket' && headers['sec-websocket-accept'] === accept;
}
