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
 * Sends handshakes, and CONNECT, through the hooks of every other request, so that they are identified and limited as those are, and a refusal is a plain
 * HTTP answer on the socket, which is closed behind it.
 *
 * @returns what cuts them all, open or not: node's own `closeAllConnections` does not know them
 */
export function routeUpgrades(fastify: FastifyInstance): { cut(): void } {
  const sockets = new Set<Socket>();
  const route = (request: IncomingMessage, socket: Socket, head: Buffer): void => {
    // Node takes its own listeners off: without one a reset would end the process.
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
    sockets.add(socket);
    upgrades.set(request, { socket, head });
    // Its target is no path, for which Fastify would have an error before any hook.
    if (request.method === 'CONNECT') request.url = '/';
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    response.on('finish', () => {
      response.detachSocket(socket);
      socket.destroySoon();
    });
    fastify.routing(request, response);
  };
  // Nobody is let through to CONNECT, but it is counted and answered: without a listener node ends the connection.
  fastify.server.on('upgrade', route).on('connect', route);
  return {
    cut: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Calls back when the client goes before its socket is read; returns what stops that. Takes nothing of what the client has sent. */
export function onceGone(socket: Socket, gone: () => void): () => void {
  // Who does not read does not hear of the end either: `readable` fills the buffer, which is bounded.
  const look = (): void => {
    if (socket.readableLength === 0) socket.read(0);
  };
  socket.on('readable', look).on('end', gone).on('close', gone);
  return () => void socket.off('readable', look).off('end', gone).off('close', gone);
}
