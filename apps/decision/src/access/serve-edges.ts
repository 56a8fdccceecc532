import type { Server } from 'node:http';
import { type Logger, OWN_HOST_CHECK, silentConnections, WHOLE_BODIES } from '@sluice/platform';
import type { FastifyInstance } from 'fastify';
import { listenOnSocket } from './listen-on-socket.js';
import { type Renewable, renewTls } from './renew-tls.js';
import type { TlsFiles } from './tls-files.js';

export interface EdgesOptions {
  /** Ready: its routes serve the Unix socket too. */
  readonly fastify: FastifyInstance;
  readonly socketPath: string | undefined;
  readonly tls: TlsFiles | undefined;
  readonly logger: Logger;
}

/** What a service has beside its port. */
export interface Edges {
  /** Stops listening on the socket and looking at files; connections are ended by the answers of a service that stops. */
  close(): Promise<void>;
}

/** Connections that are still busy then are cut. */
const CUT_MS = 6_000;

/** Serves the Unix socket beside the port, and keeps certificates fresh. @throws StartError when nothing can listen at the path */
export async function serveEdges({ fastify, socketPath, tls, logger }: EdgesOptions): Promise<Edges> {
  const { server } = fastify;
  const { requestTimeout, headersTimeout, keepAliveTimeout } = server;
  const unix =
    socketPath === undefined
      ? undefined
      : await listenOnSocket(socketPath, { ...OWN_HOST_CHECK, ...WHOLE_BODIES, requestTimeout, headersTimeout, keepAliveTimeout }, (request, response) => void server.emit('request', request, response));
  const silent = unix && silentConnections(unix);
  const stop = tls !== undefined && isRenewable(server) ? renewTls({ files: tls, server, logger }) : undefined;
  return {
    async close() {
      stop?.();
      silent?.cut();
      if (unix !== undefined) await closed(unix);
    },
  };
}

function isRenewable(server: object): server is Renewable {
  return 'setSecureContext' in server;
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), CUT_MS);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    server.closeIdleConnections();
  });
}
