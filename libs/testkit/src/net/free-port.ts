import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

// Below the range that the OS takes for outgoing connections (32768 on Linux, 49152 elsewhere): a server that
// was killed must find its port free when it comes back.
const FIRST_PORT = 20_000;
const LAST_PORT = 31_999;
const ATTEMPTS = 500;

/**
 * A TCP port on 127.0.0.1 that nobody listens on and no other caller gets while this process lives. The
 * reservation is the UDP port of the same number: atomic between processes, gone with the process.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = FIRST_PORT + Math.floor(Math.random() * (LAST_PORT - FIRST_PORT + 1));
    if ((await reserve(port)) && (await isFree(port))) return port;
  }
  throw new Error(`no free port from ${FIRST_PORT} to ${LAST_PORT} after ${ATTEMPTS} attempts`);
}

/** As many ports as asked for. */
export function freePorts(count: number): Promise<number[]> {
  return Promise.all(Array.from({ length: count }, () => freePort()));
}

function reserve(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4');
    socket.unref();
    socket.once('error', () => {
      socket.close();
      resolve(false);
    });
    socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => resolve(true));
  });
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => probe.close(() => resolve(true)));
  });
}
