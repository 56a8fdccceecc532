import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { KEY_HEADER } from './local-limiter.js';

const REQUEST = Buffer.from(`GET /v1/items/42 HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n${KEY_HEADER}: key_000001\r\n\r\n`);
const STATUS = 'HTTP/1.1 204';
const END_OF_HEAD = '\r\n\r\n';

/**
 * Kept-alive connections to one port, opened once: what a connection costs is not what a request costs. By hand on sockets: an HTTP client costs this process
 * more than the answer costs the server.
 */
export class Connections {
  private left = 0;
  private underWay = 0;
  private ended: (() => void) | undefined;
  private failed: ((error: Error) => void) | undefined;

  private constructor(private readonly sockets: readonly Socket[]) {
    for (const socket of sockets) {
      socket.on('data', (answer) => this.take(socket, answer.toString('latin1')));
      socket.on('error', (error) => this.failed?.(error));
      socket.on('end', () => this.failed?.(new Error('the server closed a connection')));
    }
  }

  static async open(port: number, count: number): Promise<Connections> {
    const sockets = Array.from({ length: count }, () => connect({ port, host: '127.0.0.1', noDelay: true }));
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    return new Connections(sockets);
  }

  /**
   * Sends so many requests, one at a time on each connection, and waits for all answers.
   *
   * @throws Error for an answer that is not 204
   */
  ask(requests: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.left = requests;
      this.ended = resolve;
      this.failed = reject;
      for (const socket of this.sockets) this.send(socket);
    });
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  private send(socket: Socket): void {
    if (this.left > 0) {
      this.left -= 1;
      this.underWay += 1;
      socket.write(REQUEST);
    } else if (this.underWay === 0) this.ended?.();
  }

  /** An answer of a few hundred bytes comes in one piece on a loopback. */
  private take(socket: Socket, answer: string): void {
    this.underWay -= 1;
    if (answer.startsWith(STATUS) && answer.endsWith(END_OF_HEAD)) this.send(socket);
    else this.failed?.(new Error(`not an answer with 204 in one piece, so this measures something else: ${answer}`));
  }
}
