import { connect, createServer, type Socket } from 'node:net';

/** Where a connection is cut: before a statement reaches the server, or after it was carried out and before its answer reaches the client. */
export type CutPoint = 'before the statement' | 'before its answer';

/** A proxy before PostgreSQL that loses a connection at one statement. */
export interface CuttingProxy {
  /** The database through the proxy. */
  readonly url: string;
  /** Cuts at the nth statement from now, of connections with this application name. */
  arm(nth: number, point: CutPoint): void;
  /** @returns whether it did */
  disarm(): boolean;
  close(): Promise<void>;
}

/** Frontend messages that carry a statement: Query and Parse (PostgreSQL's protocol, "Message Formats"). */
const STATEMENT_TYPES = new Set(['Q', 'P']);

export async function startCuttingProxy(databaseUrl: string, applicationName: string): Promise<CuttingProxy> {
  const database = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let left = 0;
  let cutAt: CutPoint = 'before the statement';

  const server = createServer((client) => {
    const upstream = connect(Number(database.port), database.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      // A statement is several messages, sent one by one.
      socket.setNoDelay(true);
      socket.on('error', () => undefined).on('close', () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    let watched: boolean | undefined;
    let deaf = false;
    let pending = Buffer.alloc(0);
    upstream.on('data', (bytes) => {
      if (deaf) client.destroy();
      else client.write(bytes);
    });
    client.on('data', (bytes) => {
      pending = Buffer.concat([pending, bytes]);
      if (watched === undefined) {
        if (pending.length < 4 || pending.length < pending.readInt32BE(0)) return;
        const startup = pending.subarray(0, pending.readInt32BE(0));
        watched = startup.includes(`application_name\0${applicationName}\0`);
        upstream.write(startup);
        pending = pending.subarray(startup.length);
      }
      while (pending.length >= 5 && pending.length >= 1 + pending.readInt32BE(1)) {
        const message = pending.subarray(0, 1 + pending.readInt32BE(1));
        pending = pending.subarray(message.length);
        if (watched && left > 0 && STATEMENT_TYPES.has(String.fromCharCode(message[0] ?? 0))) {
          left -= 1;
          if (left === 0 && cutAt === 'before the statement') {
            client.destroy();
            return;
          }
          deaf ||= left === 0;
        }
        upstream.write(message);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  return {
    url: url.href,
    arm(nth, point) {
      left = nth;
      cutAt = point;
    },
    disarm() {
      const cut = left === 0;
      left = 0;
      return cut;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
