import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A real service behind the gateway: says what it got, or does what `answer` does. */
export interface Upstream {
  readonly url: string;
  readonly seen: { readonly method: string; readonly url: string; readonly headers: IncomingMessage['headers'] }[];
  answer: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  close(): Promise<void>;
}

export async function startUpstream(): Promise<Upstream> {
  const upstream: Upstream = { url: '', seen: [], answer: undefined, close: async () => {} };
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    upstream.seen.push({ method, url, headers });
    if (upstream.answer !== undefined) return upstream.answer(request, response);
    let bytes = 0;
    request.on('data', (chunk: Buffer) => (bytes += chunk.length));
    request.on('end', () => response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ method, url, bytes })));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return Object.assign(upstream, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close });
}
