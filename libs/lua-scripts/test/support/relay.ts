import { connect, createServer, type AddressInfo } from 'node:net';

/** A wire to a server, and what came over it to the server, chunk by chunk: what a client writes at once arrives at once. */
export interface Relay {
  readonly port: number;
  readonly chunks: string[];
  close(): Promise<void>;
}

export async function relay(targetPort: number): Promise<Relay> {
  const chunks: string[] = [];
  const server = createServer((socket) => {
    const target = connect(targetPort, '127.0.0.1');
    socket.on('data', (chunk) => {
      chunks.push(chunk.toString('latin1'));
      target.write(chunk);
    });
    target.pipe(socket);
    socket.on('close', () => target.destroy());
    for (const each of [socket, target]) each.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    chunks,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
