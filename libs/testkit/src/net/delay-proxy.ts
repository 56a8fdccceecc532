import { createServer, connect, type Server, type Socket } from 'node:net';
import { freePort } from './free-port.js';

/** A TCP proxy on 127.0.0.1 whose faults act on what the target sends back. */
export interface DelayProxy {
  readonly port: number;
  /** From now on each chunk of a reply is held back by `ms`; the order within a connection stays. */
  setDelayMs(ms: number): void;
  /** Swallow replies: the target has done the work, the client never hears of it. */
  dropReplies(on: boolean): void;
  /** Let only the first half of the next reply on each connection through; the rest and what follows it come when this is off again. */
  stallReplies(on: boolean): void;
  /** From now on new connections go to another port of the same host, as when an address moves in a failover. */
  setTarget(port: number): void;
  /** Break every connection and refuse new ones. */
  cut(): Promise<void>;
  /** Accept connections again after `cut`, on the same port. */
  heal(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a proxy in front of `targetHost:targetPort` (host 127.0.0.1 when absent). */
export async function delayProxy({
  targetPort,
  targetHost = '127.0.0.1',
}: {
  targetPort: number;
  targetHost?: string;
}): Promise<DelayProxy> {
  const port = await freePort();
  const sockets = new Set<Socket>();
  let delayMs = 0;
  let dropping = false;
  let stalling = false;
  let towardsPort = targetPort;
  const stalled = new Map<Socket, Buffer[]>();
  let listener: Server | undefined;

  function relayReplies(from: Socket, to: Socket): void {
    // Timers of different lengths may fire out of order by a millisecond, so each takes the oldest act waiting.
    const waiting: (() => void)[] = [];
    let lastAtMs = 0;
    const later = (act: () => void): void => {
      const nowMs = performance.now();
      lastAtMs = Math.max(lastAtMs, nowMs + delayMs);
      if (lastAtMs <= nowMs && waiting.length === 0) return act();
      waiting.push(act);
      setTimeout(() => waiting.shift()?.(), lastAtMs - nowMs);
    };
    from.on('data', (chunk: Buffer) => {
      if (!dropping) later(() => to.destroyed || deliver(to, chunk));
    });
    from.on('end', () => later(() => to.end()));
  }

  function deliver(to: Socket, chunk: Buffer): void {
    const rest = stalled.get(to);
    if (rest !== undefined) rest.push(chunk);
    else if (!stalling) to.write(chunk);
    else {
      const half = chunk.length >> 1;
      to.write(chunk.subarray(0, half));
      stalled.set(to, [chunk.subarray(half)]);
    }
  }

  function release(): void {
    for (const [to, rest] of stalled) if (!to.destroyed) to.write(Buffer.concat(rest));
    stalled.clear();
  }

  function accept(client: Socket): void {
    const target = connect({ port: towardsPort, host: targetHost, noDelay: true });
    client.setNoDelay(true);
    client.pipe(target);
    relayReplies(target, client);
    for (const [socket, other] of [[client, target], [target, client]] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', (broken) => {
        sockets.delete(socket);
        stalled.delete(socket);
        if (broken) other.destroy();
      });
    }
  }

  async function heal(): Promise<void> {
    if (listener !== undefined) return;
    const server = createServer({ allowHalfOpen: true }, accept);
    listener = server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ port, host: '127.0.0.1' }, resolve);
    });
  }

  async function cut(): Promise<void> {
    const server = listener;
    listener = undefined;
    const closed = new Promise<void>((resolve) => (server === undefined ? resolve() : server.close(() => resolve())));
    for (const socket of sockets) socket.destroy();
    await closed;
  }

  await heal();
  return {
    port,
    setDelayMs: (ms) => {
      delayMs = ms;
    },
    dropReplies: (on) => {
      dropping = on;
    },
    stallReplies: (on) => {
      stalling = on;
      if (!on) release();
    },
    setTarget: (port) => {
      towardsPort = port;
    },
    cut,
    heal,
    close: cut,
  };
}
