import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';

/** A real WebSocket service: echoes, or does what `serve` or `refuse` does. */
export interface WsUpstream {
  readonly url: string;
  readonly seen: IncomingMessage[];
  readonly sockets: WebSocket[];
  serve: (socket: WebSocket) => void;
  /** Takes the place of the handshake's answer. */
  refuse: ((socket: Duplex) => void) | undefined;
  close(): Promise<void>;
}

export async function startWsUpstream(options: { readonly deflate?: boolean } = {}): Promise<WsUpstream> {
  const server = createServer((_request, response) => response.end('plain'));
  const raw = new Set<Duplex>();
  const ws = new WebSocketServer({ noServer: true, perMessageDeflate: options.deflate ?? false, handleProtocols: (protocols) => [...protocols].at(-1) ?? false });
  const upstream: WsUpstream = {
    url: '',
    seen: [],
    sockets: [],
    serve: (socket) => socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary })),
    refuse: undefined,
    close: async () => {},
  };
  server.on('upgrade', (request: IncomingMessage, socket, head) => {
    upstream.seen.push(request);
    raw.add(socket);
    if (upstream.refuse !== undefined) return upstream.refuse(socket);
    ws.handleUpgrade(request, socket, head, (open) => {
      upstream.sockets.push(open);
      open.on('error', () => undefined);
      upstream.serve(open);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      for (const socket of raw) socket.destroy();
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return Object.assign(upstream, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close });
}
