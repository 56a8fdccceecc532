import { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';

/**
 * A request whose body can be had in one piece, past the stream: its turns of the event loop and its events take longer than all that a short
 * answer needs. For the option `IncomingMessage` of node's servers.
 */
export class WholeMessage extends IncomingMessage {
  private whole: ((body: Buffer) => void) | undefined = undefined;
  private first: Buffer | undefined = undefined;
  private more: Buffer[] | undefined = undefined;
  private isTaken = false;

  /** Whether a body was taken, whole. */
  get isOver(): boolean {
    return this.isTaken && this.whole === undefined;
  }

  /**
   * Keeps the body from the stream, which does not even end then, until {@link giveBackBody}. Call it before anybody listens. Of a client that goes
   * before its body is whole nothing is heard.
   */
  takeBody(whole: (body: Buffer) => void): void {
    this.whole = whole;
    this.isTaken = true;
  }

  /** What was taken is in the stream, as if it had just arrived. */
  giveBackBody(): void {
    this.isTaken = false;
    if (this.more !== undefined) for (const chunk of this.more) super.push(chunk);
    else if (this.first !== undefined) super.push(this.first);
    super.push(null);
  }

  /** Called by node when it has answered, so that nothing is left of a body: nothing is left of one that was taken. */
  override resume(): this {
    return this.isTaken ? this : super.resume();
  }

  /** What node's parser calls with each piece of a body, and with null at its end. */
  override push(chunk: unknown, encoding?: BufferEncoding): boolean {
    const { whole } = this;
    if (whole === undefined) return super.push(chunk, encoding);
    if (chunk === null) {
      this.whole = undefined;
      whole(this.more === undefined ? (this.first ?? Buffer.alloc(0)) : Buffer.concat(this.more));
    } else if (!Buffer.isBuffer(chunk)) throw new TypeError('a piece of a body is no buffer');
    else if (this.first === undefined) this.first = chunk;
    else (this.more ??= [this.first]).push(chunk);
    return true;
  }
}

const ended = Object.getOwnPropertyDescriptor(Readable.prototype, 'readableEnded');
// A body that was taken is over. Node would listen for its end, to let go of the request.
Object.defineProperty(WholeMessage.prototype, 'readableEnded', {
  get(this: WholeMessage): unknown {
    return this.isOver || ended?.get?.call(this);
  },
});
