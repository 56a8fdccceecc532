import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { limitUpgrade, type ProxyTrust } from '@sluice/middleware';
import type { SentFields } from '../surface.js';
import type { Engine } from './engine.js';

/** A server that takes WebSocket handshakes, limited without a framework. */
export interface HandshakeServer {
  readonly url: string;
  close(): Promise<void>;
}

export async function startHandshakes({ limiter }: Pick<Engine, 'limiter'>, trust: ProxyTrust): Promise<HandshakeServer> {
  const limit = limitUpgrade({ limiter, trustedProxies: trust, onWarning: () => undefined });
  const server = createServer().listen(0, '127.0.0.1');
  server.on('upgrade', (asked, socket: Socket) => limit(asked, socket, () => socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')));
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Sends a handshake with these fields; resolves to the status of the answer. */
export function shakeHands(url: string, fields: SentFields): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { headers: { ...fields, Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13', 'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==' } });
    asked.on('upgrade', ({ statusCode = 0 }, socket) => {
      socket.destroy();
      resolve(statusCode);
    });
    asked.on('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    asked.on('error', reject);
    asked.end();
  });
}
