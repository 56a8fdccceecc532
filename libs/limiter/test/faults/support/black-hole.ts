import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface BlackHole {
  readonly port: number;
  /** From now on nothing passes on the connections that are there; new ones work. */
  swallow(): void;
  /** Made since the start. */
  connections(): number;
  close(): void;
}

/** In front of a server; what was connected before `swallow` is a black hole from then on, as when a host goes without a word. */
export async function blackHole(targetPort: number): Promise<BlackHole> {
  const sockets = new Set<Socket>();
  let [generation, connections] = [0, 0];
  const server = createServer((client) => {
    const own = generation;
    connections += 1;
    const target = connect(targetPort, '127.0.0.1');
    for (const [from, to] of [[client, target], [target, client]] as const) {
      sockets.add(from);
      from.on('data', (data) => own === generation && to.write(data)).on('error', () => undefined).on('close', () => to.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    swallow: () => void (generation += 1),
    connections: () => connections,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
