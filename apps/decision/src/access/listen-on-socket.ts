import cluster from 'node:cluster';
import { chmodSync, lstatSync, rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http';
import { connect, Socket } from 'node:net';
import { answerClientError, StartError } from '@sluice/platform';
import { markUnixPeer } from './unix-peers.js';

/** Owner and group may connect. */
const MODE = 0o660;

/** Serves HTTP on a Unix socket. Of several processes that share it the primary has looked whether the path is free. @throws StartError when somebody else listens there, or the path is no place for one */
export async function listenOnSocket(path: string, options: ServerOptions, listener: RequestListener): Promise<Server> {
  if (cluster.isPrimary) await removeStaleSocket(path);
  const server = createServer(options, listener);
  server.on('connection', markUnixPeer);
  server.on('clientError', (error, stream) => (stream instanceof Socket ? answerClientError(error, stream) : stream.destroy()));
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(path, resolve);
    });
    chmodSync(path, MODE);
  } catch (error) {
    server.close();
    throw new StartError(`SLUICE_DECISION_SOCKET: nothing can listen at ${path} (${codeOf(error)})`);
  }
  return server;
}

/** Removes what a process that was killed left behind. @throws StartError when it is in use, or no socket */
export async function removeStaleSocket(path: string): Promise<void> {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isSocket()) throw new StartError(`SLUICE_DECISION_SOCKET: ${path} is there and is no socket`);
  if (await answers(path)) throw new StartError(`SLUICE_DECISION_SOCKET: another process listens at ${path}`);
  rmSync(path, { force: true });
}

/** Only what nobody listens on is stale: a socket that may not be opened, say, is somebody's. */
function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const end = (is: boolean): void => {
      socket.destroy();
      resolve(is);
    };
    socket.once('connect', () => end(true));
    socket.once('error', (error) => end(codeOf(error) !== 'ECONNREFUSED' && codeOf(error) !== 'ENOENT'));
  });
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'unknown';
}
