import { connect, type Socket } from 'node:net';

/** What a server is asked, again and again. */
export interface Poll {
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** What came of it. */
export interface PollFigures {
  readonly perSecond: number;
  /** Answers by status. */
  readonly statuses: ReadonlyMap<string, number>;
}

const END_OF_HEAD = Buffer.from('\r\n\r\n');

/**
 * Polls over kept-alive connections, one request at a time on each, for answers without a body. By hand on sockets: an HTTP client costs this process more than
 * the answer costs the server, and would be what is measured.
 */
export async function pollFor(poll: Poll, { connections, seconds }: { readonly connections: number; readonly seconds: number }): Promise<PollFigures> {
  const request = Buffer.from([`GET ${poll.path} HTTP/1.1`, 'Host: localhost', ...Object.entries(poll.headers).map(([name, value]) => `${name}: ${value}`), '', ''].join('\r\n'));
  const statuses = new Map<string, number>();
  const startMs = performance.now();
  const endMs = startMs + seconds * 1_000;
  await Promise.all(
    Array.from({ length: connections }, () =>
      converse(connect({ port: poll.port, host: '127.0.0.1', noDelay: true }), request, (status) => {
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        return performance.now() < endMs;
      }),
    ),
  );
  const answers = [...statuses.values()].reduce((sum, count) => sum + count, 0);
  return { perSecond: (answers * 1_000) / (performance.now() - startMs), statuses };
}

/** Sends the request anew after each answer until `goOn` says no. */
function converse(socket: Socket, request: Buffer, goOn: (status: string) => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    let head = Buffer.alloc(0);
    socket.on('connect', () => socket.write(request));
    socket.on('data', (chunk) => {
      head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
      if (head.indexOf(END_OF_HEAD) !== head.length - END_OF_HEAD.length) return;
      const status = head.toString('latin1', 9, 12);
      head = Buffer.alloc(0);
      if (goOn(status)) socket.write(request);
      else socket.end();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve());
  });
}
