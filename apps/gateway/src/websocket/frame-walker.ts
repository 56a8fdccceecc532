/** A control frame that ends the connection (RFC 6455, section 5.5.1). */
export const CLOSE_OPCODE = 8;
export const PING_OPCODE = 9;
export const PONG_OPCODE = 10;

/**
 * Follows where frames begin in the bytes of one direction (RFC 6455, section 5.2), and holds none of them. Extensions that were agreed on
 * from end to end leave this framing as it is.
 */
export class FrameWalker {
  /** Bytes of the header that went by; 0 between frames. */
  private seen = 0;
  /** Bytes that the header has, as far as is known. */
  private headBytes = 2;
  private length = 0;
  /** Of the payload, and still to come. */
  private rest = 0;

  /** Between two frames, where a frame of one's own may stand. */
  get isBetween(): boolean {
    return this.seen === 0 && this.rest === 0;
  }

  /** Goes on to the end of the frame at `offset`, or of the chunk; returns the offset where it stopped. */
  advance(chunk: Buffer, offset: number): number {
    let at = offset;
    while (this.rest === 0 && at < chunk.length) {
      this.readHead(chunk[at] ?? 0);
      at += 1;
      if (this.isBetween) return at;
    }
    const step = Math.min(this.rest, chunk.length - at);
    this.rest -= step;
    return at + step;
  }

  private readHead(byte: number): void {
    this.seen += 1;
    if (this.seen === 1) {
      this.headBytes = 2;
      this.length = 0;
    } else if (this.seen === 2) {
      const length = byte & 0x7f;
      const extended = length === 126 ? 2 : length === 127 ? 8 : 0;
      this.headBytes = 2 + extended + ((byte & 0x80) === 0 ? 0 : 4);
      if (extended === 0) this.length = length;
      // Behind the extended length come the four bytes of the mask.
      this.lengthEnds = 2 + extended;
    } else if (this.seen <= this.lengthEnds) {
      this.length = this.length * 256 + byte;
    }
    if (this.seen < this.headBytes || this.seen < 2) return;
    this.seen = 0;
    this.rest = this.length;
  }

  private lengthEnds = 2;
}

/** The opcode in the first byte of a frame. */
export function opcodeOf(byte: number | undefined): number {
  return (byte ?? 0) & 0x0f;
}
