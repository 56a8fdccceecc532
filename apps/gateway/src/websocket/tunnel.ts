import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { CloseCode } from './close-frame.js';
import { PING_OPCODE, PONG_OPCODE } from './frame-walker.js';
import { Lane } from './lane.js';

export interface TunnelOptions {
  readonly client: Socket;
  readonly upstream: Duplex;
  /** A tunnel in which nothing moves for so long, either way, is closed with 1001. */
  readonly idleMs: number;
  /**
   * Asked before each frame of the client is passed on: why it may not be, or `undefined`. Not asked for a close frame, nor for the answer to a ping of
   * the upstream.
   */
  readonly refuses?: (() => string | undefined | Promise<string | undefined>) | undefined;
}

/** Whoever was told that it is over has this long to say so too, then both are cut. */
const CLOSE_MS = 2_000;

/** Two ends of one WebSocket. When one of them goes without a word, the other is told why. */
export class Tunnel {
  /** Resolves when both ends are gone. */
  readonly ended: Promise<void>;
  private readonly up: Lane;
  private readonly down: Lane;
  private timer: NodeJS.Timeout | undefined;
  /** Pings of the upstream that the client has not answered. */
  private pings = 0;

  constructor(private readonly options: TunnelOptions) {
    const { client, upstream, idleMs, refuses } = options;
    this.up = new Lane({ from: client, to: upstream, masked: true, admit: refuses && ((opcode) => this.admit(opcode, refuses)) });
    this.down = new Lane({ from: upstream, to: client, masked: false, admit: refuses && ((opcode) => this.note(opcode)) });
    // Whatever moves is read from it or written to it.
    client.setTimeout(idleMs, () => this.close(CloseCode.goingAway, 'idle'));
    this.ended = Promise.all([this.watch(client, upstream, this.up, CloseCode.goingAway, ''), this.watch(upstream, client, this.down, CloseCode.badGateway, 'the upstream broke off')]).then(() => undefined);
  }

  /** Tells both ends, then cuts what is left of them. */
  close(code: number, reason: string): void {
    this.up.close(code, reason);
    this.down.close(code, reason);
    this.cutSoon();
  }

  /** Cuts both ends at once. */
  cut(): void {
    this.options.client.destroy();
    this.options.upstream.destroy();
  }

  /** When `from` ends, `to` hears of it, with a close frame if `from` sent none. */
  private watch(from: Duplex, to: Duplex, lane: Lane, code: number, reason: string): Promise<void> {
    const over = (): void => {
      lane.close(code, reason);
      if (to.writable) to.end();
      this.cutSoon();
    };
    from.on('end', over).on('error', () => from.destroy());
    return new Promise((resolve) => {
      from.on('close', () => {
        over();
        resolve();
      });
    });
  }

  private note(opcode: number): true {
    if (opcode === PING_OPCODE) this.pings += 1;
    return true;
  }

  private admit(opcode: number, refuses: () => string | undefined | Promise<string | undefined>): boolean | Promise<boolean> {
    if (opcode === PONG_OPCODE && this.pings > 0) {
      this.pings -= 1;
      return true;
    }
    const answer = refuses();
    return answer instanceof Promise ? answer.then((late) => this.act(late)) : this.act(answer);
  }

  private act(reason: string | undefined): boolean {
    if (reason !== undefined) this.close(CloseCode.policyViolation, reason);
    return reason === undefined;
  }

  private cutSoon(): void {
    if (this.timer !== undefined) return;
    this.timer = setTimeout(() => this.cut(), CLOSE_MS);
    void this.ended.then(() => clearTimeout(this.timer));
  }
}
