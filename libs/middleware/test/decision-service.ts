import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface SeenQuestion {
  readonly url: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly authorization: string | undefined;
}

/** A real HTTP server that answers as the decision service does, or as `answer` says. */
export interface DecisionService {
  readonly url: string;
  readonly seen: SeenQuestion[];
  /** Connections that were opened. */
  readonly connections: () => number;
  readonly server: Server;
  answer: (response: ServerResponse, question: SeenQuestion) => void;
  /** Ends every connection, as a service does that restarts. */
  cut(): void;
  close(): Promise<void>;
}

export const ALLOWED = {
  overallCode: 'OK',
  limitRemaining: 4,
  resetAfterSeconds: 1,
  allowed: true,
  reason: 'ok',
  rule_id: 'free-default',
  rule_version: 3,
  policy: 'default',
  limit: 5,
  delay_ms: 0,
  cost: 1,
  source: 'local',
  snapshot_version: 7,
  checked_at: '2026-11-30T12:00:00.500Z',
  policies: [{ policy: 'default', rule_id: 'free-default', rule_version: 3, limit: 5, window_seconds: 0.5, allowed: true, reason: 'ok', remaining: 4, reset_after_seconds: 1, source: 'local' }],
  shadow: [],
} as const;

export function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'Content-Type': status < 300 ? 'application/json' : 'application/problem+json' }).end(JSON.stringify(body));
}

/** @param socketPath listens there instead of on a port */
export async function startDecisionService(socketPath?: string): Promise<DecisionService> {
  const seen: SeenQuestion[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((request, response) => void take(request, response));
  const service: DecisionService = {
    url: '',
    seen,
    connections: () => connections,
    server,
    answer: (response) => json(response, 200, ALLOWED),
    cut: () => sockets.forEach((socket) => socket.destroy()),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const question = { url: request.url ?? '', body: JSON.parse(text), authorization: request.headers.authorization };
    seen.push(question);
    service.answer(response, question);
  }
  server.on('connection', (socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  if (socketPath === undefined) server.listen(0, '127.0.0.1');
  else server.listen(socketPath);
  await once(server, 'listening');
  return Object.assign(service, { url: socketPath === undefined ? `http://127.0.0.1:${(server.address() as AddressInfo).port}` : `unix:${socketPath}` });
}
