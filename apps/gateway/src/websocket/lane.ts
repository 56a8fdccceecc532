import type { Duplex } from 'node:stream';
import { closeFrame } from './close-frame.js';
import { CLOSE_OPCODE, FrameWalker, opcodeOf } from './frame-walker.js';

export interface LaneOptions {
  readonly from: Duplex;
  readonly to: Duplex;
  /** Frames to a server are masked, those to a client are not. */
  readonly masked: boolean;
  /** Asked before a frame is passed on, a close frame excepted; after `false` nothing is. */
  readonly admit?: ((opcode: number) => boolean | Promise<boolean>) | undefined;
}

/** One direction of a tunnel: passes bytes on as fast as they are taken, and can end the stream with a close frame of its own between two frames. */
export class Lane {
  private readonly walker = new FrameWalker();
  private opcode = 0;
  private lastWords: Buffer | undefined;
  /** Nothing may follow: a close frame went by, or was put in. What still comes is thrown away. */
  private over = false;
  /** A frame is held back until it is known whether it may pass. */
  private held = false;

  constructor(private readonly options: LaneOptions) {
    const { from, to } = options;
    from.on('data', (chunk: Buffer) => this.take(chunk, false));
    to.on('drain', () => this.flow());
  }

  /** Whether the receiver has been told that this direction is over. */
  get isOver(): boolean {
    return this.over;
  }

  /** Ends this direction with a close frame: now, or when the frame that is on its way has gone by. */
  close(code: number, reason: string): void {
    if (this.over || this.lastWords !== undefined) return;
    this.lastWords = closeFrame(code, reason, this.options.masked);
    if (this.walker.isBetween) this.say();
  }

  /** @param admitted whether the frame that the chunk begins with has been */
  private take(chunk: Buffer, admitted: boolean): void {
    const { admit } = this.options;
    let passed = 0;
    let at = 0;
    while (at < chunk.length && !this.over) {
      if (this.walker.isBetween) {
        this.opcode = opcodeOf(chunk[at]);
        if (admit !== undefined && this.opcode !== CLOSE_OPCODE && !(admitted && at === 0)) {
          this.pass(chunk, passed, at);
          passed = at;
          const answer = admit(this.opcode);
          if (answer instanceof Promise) return this.hold(chunk.subarray(at), answer);
          if (!answer) return;
        }
      }
      at = this.walker.advance(chunk, at);
      if (!this.walker.isBetween) continue;
      if (this.opcode !== CLOSE_OPCODE && this.lastWords === undefined) continue;
      this.pass(chunk, passed, at);
      passed = at;
      if (this.opcode === CLOSE_OPCODE) this.over = true;
      else this.say();
    }
    if (!this.over) this.pass(chunk, passed, at);
    if (this.options.to.writableNeedDrain) this.options.from.pause();
  }

  private hold(rest: Buffer, answer: Promise<boolean>): void {
    const { from } = this.options;
    this.held = true;
    from.pause();
    answer
      .then((admitted) => {
        this.held = false;
        if (admitted && !this.over) this.take(rest, true);
        this.flow();
      })
      .catch((error: Error) => from.destroy(error));
  }

  private say(): void {
    if (this.lastWords === undefined) return;
    this.over = true;
    this.pass(this.lastWords, 0, this.lastWords.length);
  }

  private pass(chunk: Buffer, start: number, end: number): void {
    const { to } = this.options;
    if (end > start && to.writable) to.write(chunk.subarray(start, end));
  }

  private flow(): void {
    if (!this.held && !this.options.to.writableNeedDrain) this.options.from.resume();
  }
}
