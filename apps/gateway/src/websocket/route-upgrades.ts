import type { FastifyInstance } from 'fastify';
import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Of a handshake: its socket, and what came behind it already. */
export interface Upgrade {
  readonly socket: Socket;
  readonly head: Buffer;
}

const upgrades = new WeakMap<IncomingMessage, Upgrade>();

/** The socket of a request that opens a WebSocket; `undefined` for every other. */
export function upgradeOf(request: IncomingMessage): Upgrade | undefined {
  return upgrades.get(request);
}

/**
 * Sends handshakes through the hooks of every other request, so that they are identified and limited as those are, and a refusal is a plain
 * HTTP answer on the socket, which is closed behind it.
 */
export function routeUpgrades(fastify: FastifyInstance): void {
  fastify.server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    // Node takes its own listeners off: without one a reset would end the process.
    socket.on('error', () => socket.destroy());
    upgrades.set(request, { socket, head });
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    response.on('finish', () => {
      response.detachSocket(socket);
      socket.destroySoon();
    });
    fastify.routing(request, response);
  });
}
