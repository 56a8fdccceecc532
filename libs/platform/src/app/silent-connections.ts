import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** What is known of a connection. */
interface Connection {
  readonly socket: Socket;
  /** Its last answer, made or not: those before it are made when it is. */
  answer: ServerResponse | undefined;
}

/** From the stop until what was on its way by then has arrived. */
const GRACE_MS = 200;
/** Events of node's servers with a request and its answer. With a listener for the latter two node leaves the answer to that one. */
const HEADS = ['request', 'checkContinue', 'checkExpectation'] as const;

/**
 * The connections of a server of which no request is there: that have sent nothing, or half a head. On a stop node takes those for busy, so that
 * one of them would hold it up until its deadline (R44). Upgrades are not among them. Call it when the server has its listeners.
 *
 * @returns `cut` destroys them from then on, until the server has closed
 */
export function silentConnections(server: Server): { cut(): void } {
  const connections = new Map<unknown, Connection>();

  function take(socket: Socket): void {
    const key = keyOf(socket);
    connections.set(key, { socket, answer: undefined });
    socket.once('close', () => {
      if (connections.get(key)?.socket === socket) connections.delete(key);
    });
  }
  server.on('connection', take);
  // In the place of the connection that it runs on.
  server.on('secureConnection', take);
  for (const event of HEADS) {
    if (server.listenerCount(event) === 0) continue;
    server.prependListener(event, ({ socket }: IncomingMessage, answer: ServerResponse) => {
      const connection = connections.get(keyOf(socket));
      if (connection !== undefined) connection.answer = answer;
    });
  }
  // With a listener for these as well node waits for somebody to serve them.
  for (const event of ['upgrade', 'connect'] as const) if (server.listenerCount(event) > 0) server.prependListener(event, ({ socket }: IncomingMessage) => void connections.delete(keyOf(socket)));
  return {
    cut() {
      const timer = setInterval(() => {
        for (const { socket, answer } of connections.values()) if (answer === undefined || answer.closed) socket.destroy();
      }, GRACE_MS);
      server.once('close', () => clearInterval(timer));
    },
  };
}

/** A TLS socket and the one beneath it have the same; what has no port (a Unix socket) is its own. */
function keyOf(socket: Socket): unknown {
  return socket.remotePort === undefined ? socket : `${socket.remoteAddress}|${socket.remotePort}`;
}
