import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

/** A service that says what bytes it got, and answers with whatever bytes it is told. */
export interface RawUpstream {
  readonly url: string;
  /** Connections that were made, open or not. */
  readonly connections: Socket[];
  /** All that came, over all connections. */
  readonly received: () => string;
  close(): Promise<void>;
}

/** @param answer called with each chunk that comes, and all that came on this connection so far */
export async function startRawUpstream(answer: (socket: Socket, sofar: string) => void): Promise<RawUpstream> {
  const connections: Socket[] = [];
  let received = '';
  const server = createServer((socket) => {
    connections.push(socket);
    let sofar = '';
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      sofar += chunk.toString('latin1');
      answer(socket, sofar);
    });
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections,
    received: () => received,
    close: () =>
      new Promise<void>((resolve) => {
        for (const socket of connections) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

/** For {@link startRawUpstream}: answers each head with the same bytes. */
export function answering(bytes: string): (socket: Socket, sofar: string) => void {
  const heads = new WeakMap<Socket, number>();
  return (socket, sofar) => {
    const count = sofar.split('\r\n\r\n').length - 1;
    for (let at = heads.get(socket) ?? 0; at < count; at += 1) socket.write(bytes, 'latin1');
    heads.set(socket, count);
  };
}
