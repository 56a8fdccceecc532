import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { RawResponse } from '../skin/skin-adapter.js';

/** An answer to a handshake, for which node:http has no object: the socket is all there is. */
export class UpgradeAnswer implements RawResponse {
  readonly statusCode = 101;
  readonly headers: Record<string, string> = {};
  headersSent = false;

  constructor(private readonly socket: Duplex) {}

  get destroyed(): boolean {
    return this.socket.destroyed;
  }

  on(event: 'finish' | 'close', listener: () => void): void {
    this.socket.on(event, listener);
  }

  removeListener(event: 'finish' | 'close', listener: () => void): void {
    this.socket.removeListener(event, listener);
  }

  end(status: number, contentType: string, body: string): void {
    this.headersSent = true;
    const { socket } = this;
    if (socket.destroyed) return;
    // The client may be gone by the time this is written, and the server has taken its own listener off the socket.
    socket.on('error', () => socket.destroy());
    const fields = { ...this.headers, 'Content-Type': contentType, 'Content-Length': String(Buffer.byteLength(body)), Connection: 'close' };
    const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.once('finish', () => socket.destroy());
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`);
  }
}
