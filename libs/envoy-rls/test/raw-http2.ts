import { connect, type Socket } from 'node:net';

/** Frame types (RFC 9113, section 6). */
export const FRAME = { data: 0, headers: 1, reset: 3, settings: 4, ping: 6, goaway: 7, windowUpdate: 8, continuation: 9 } as const;
export const FLAG = { endStream: 1, ack: 1, endHeaders: 4 } as const;

/** A frame as it is on the wire. */
export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly streamId: number;
  readonly payload: Buffer;
}

/** HTTP/2 by hand: says what no client would. Settings and pings are acknowledged when `reads` is on. */
export class RawHttp2 {
  readonly received: Frame[] = [];
  isClosed = false;
  private held = Buffer.alloc(0);

  readonly socket: Socket;
  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (chunk: Buffer) => this.take(chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => (this.isClosed = true));
  }

  static async open(port: number): Promise<RawHttp2> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    const raw = new RawHttp2(socket);
    await new Promise((connected) => socket.once('connect', connected));
    socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
    raw.send(FRAME.settings, 0, 0);
    return raw;
  }

  send(type: number, flags: number, streamId: number, payload: Buffer = Buffer.alloc(0)): boolean {
    const head = Buffer.alloc(9);
    head.writeUIntBE(payload.length, 0, 3);
    head[3] = type;
    head[4] = flags;
    head.writeUInt32BE(streamId, 5);
    return this.socket.write(Buffer.concat([head, payload]));
  }

  /** The head of a gRPC call. */
  call(streamId: number, path: string, more: readonly (readonly [string, string])[] = []): void {
    const fields = [[':method', 'POST'], [':scheme', 'http'], [':path', path], [':authority', 'test'], ['content-type', 'application/grpc'], ...more] as const;
    this.send(FRAME.headers, FLAG.endHeaders, streamId, Buffer.concat(fields.map(([name, value]) => literal(name, value))));
  }

  /** Waits for a frame that was not looked at yet. */
  async next(wanted: (frame: Frame) => boolean, withinMs = 3_000): Promise<Frame> {
    const untilMs = performance.now() + withinMs;
    for (;;) {
      const at = this.received.findIndex(wanted);
      const [found] = at < 0 ? [] : this.received.splice(at, 1);
      if (found !== undefined) return found;
      if (performance.now() > untilMs) throw new Error(`no such frame; there are ${JSON.stringify(this.received.map(({ type, streamId }) => [type, streamId]))}`);
      await new Promise((later) => setTimeout(later, 2));
    }
  }

  private take(chunk: Buffer): void {
    this.held = Buffer.concat([this.held, chunk]);
    while (this.held.length >= 9 && this.held.length >= 9 + this.held.readUIntBE(0, 3)) {
      const end = 9 + this.held.readUIntBE(0, 3);
      const frame = { type: this.held[3] ?? 0, flags: this.held[4] ?? 0, streamId: this.held.readUInt32BE(5), payload: this.held.subarray(9, end) };
      this.held = this.held.subarray(end);
      this.received.push(frame);
      if (frame.flags === 0 && frame.type === FRAME.settings) this.send(FRAME.settings, FLAG.ack, 0);
      if (frame.flags === 0 && frame.type === FRAME.ping) this.send(FRAME.ping, FLAG.ack, 0, frame.payload);
    }
  }
}

/** A header field without index and without Huffman coding (RFC 7541, section 6.2.2); neither part longer than 126 bytes unless it says so. */
export function literal(name: string, value: string): Buffer {
  return Buffer.concat([Buffer.from([0]), text(name), text(value)]);
}

function text(of: string): Buffer {
  const bytes = Buffer.from(of);
  if (bytes.length < 127) return Buffer.concat([Buffer.from([bytes.length]), bytes]);
  const length = [127];
  let rest = bytes.length - 127;
  for (; rest >= 128; rest = Math.floor(rest / 128)) length.push((rest % 128) | 0x80);
  return Buffer.concat([Buffer.from([...length, rest]), bytes]);
}
