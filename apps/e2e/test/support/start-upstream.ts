import { createServer } from 'node:http';

/** A service to protect that says `ok` to everything. */
export interface Upstream {
  readonly url: string;
  close(): Promise<void>;
}

export async function startUpstream(): Promise<Upstream> {
  const server = createServer((_request, response) => response.end('ok'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the upstream has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
