import { createServer } from 'node:http';

/** A service to protect, for those who have none at hand: it answers what it was asked. */
export interface EchoUpstream {
  readonly url: string;
  close(): Promise<void>;
}

/** Request fields that an echo should not show on a screen. */
const SECRET_FIELDS = new Set(['x-api-key', 'authorization', 'cookie', 'proxy-authorization']);

/** Starts the echo service on a free loopback port. */
export async function startEchoUpstream(): Promise<EchoUpstream> {
  const server = createServer((request, response) => {
    let bytes = 0;
    request.on('data', (chunk: Buffer) => (bytes += chunk.length));
    request.on('end', () => {
      const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !SECRET_FIELDS.has(name)));
      const body = JSON.stringify({ method: request.method, url: request.url, headers, body_bytes: bytes });
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(`${body}\n`);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.on('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the echo service has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
