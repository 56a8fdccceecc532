import { connect, type Socket } from 'node:net';

const END_OF_HEAD = Buffer.from('\r\n\r\n');
const LENGTH = Buffer.from('content-length: ');
const OK = Buffer.from('HTTP/1.1 200');

/**
 * A kept-alive connection on which one request is in the air at a time. By hand on a socket: an HTTP client costs this process more than the
 * answer costs the server, and would be what is measured.
 */
export class Conversation {
  private held: Buffer | undefined;
  private answered: (() => void) | undefined;
  private readonly socket: Socket;

  private constructor(socket: Socket, onFailure: (error: Error) => void) {
    this.socket = socket;
    socket.on('data', (chunk: Buffer) => {
      const bytes = this.held === undefined ? chunk : Buffer.concat([this.held, chunk]);
      const whole = isWhole(bytes);
      this.held = whole ? undefined : bytes;
      if (!whole) return;
      if (!bytes.subarray(0, OK.length).equals(OK)) onFailure(new Error(`the answer was ${bytes.toString('latin1', 0, 300)}`));
      else this.answered?.();
    });
    socket.on('error', onFailure);
  }

  static open(port: number, onFailure: (error: Error) => void): Promise<Conversation> {
    return new Promise((resolve) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(new Conversation(socket, onFailure)));
      socket.once('error', onFailure);
    });
  }

  /** Sends a request; `answered` is called when its answer is there. */
  ask(request: Buffer, answered: () => void): void {
    this.answered = answered;
    this.socket.write(request);
  }

  close(): void {
    this.answered = undefined;
    this.socket.destroy();
  }
}

/** Whether an answer with a length is there, head and body. */
function isWhole(bytes: Buffer): boolean {
  const head = bytes.indexOf(END_OF_HEAD);
  if (head < 0) return false;
  const at = bytes.indexOf(LENGTH);
  if (at < 0 || at > head) throw new Error('an answer without a length');
  let length = 0;
  for (let digit = at + LENGTH.length; ; digit += 1) {
    const code = bytes[digit] ?? 0;
    if (code < 48 || code > 57) break;
    length = length * 10 + code - 48;
  }
  return bytes.length >= head + END_OF_HEAD.length + length;
}
