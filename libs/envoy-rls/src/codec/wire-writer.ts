const FIRST_SIZE = 4_096;
const LARGEST_UINT32 = 0xffff_ffff;

/**
 * Writes protobuf's encoding into one buffer that it keeps, so that a message costs one copy. As proto3 has it, scalars of their default are not written:
 * callers need not look. A nested message is `const start = writer.begin(tag)`, its fields, `writer.finish(start)`.
 */
export class WireWriter {
  private bytes = Buffer.allocUnsafe(FIRST_SIZE);
  private at = 0;

  /** Begins anew. */
  reset(): void {
    this.at = 0;
  }

  /** What was written, behind `headroom` bytes that are the caller's. */
  take(headroom: number): Buffer {
    const taken = Buffer.allocUnsafe(headroom + this.at);
    this.bytes.copy(taken, headroom, 0, this.at);
    return taken;
  }

  /** A `uint32`; what is larger is written as the largest, what is below 0 as 0. */
  uint32(tag: number, value: number): void {
    if (value > 0) this.varint(tag, Math.min(value, LARGEST_UINT32));
  }

  /** A whole number from 0 to 2^53-1, or nothing where it is 0. */
  varint(tag: number, value: number): void {
    if (value === 0) return;
    this.reserve(20);
    this.put(tag);
    this.put(value);
  }

  /** UTF-8, or nothing where it is empty. */
  string(tag: number, text: string): void {
    if (text.length === 0) return;
    this.reserve(20 + 3 * text.length);
    this.put(tag);
    if (text.length < 43) {
      // At most 3 bytes a unit: the length fits into one byte, so that it can be filled in afterwards.
      const length = this.bytes.write(text, this.at + 1);
      this.bytes[this.at] = length;
      this.at += 1 + length;
    } else {
      this.put(Buffer.byteLength(text));
      this.at += this.bytes.write(text, this.at);
    }
  }

  /** Bytes as they are, an empty one of a repeated field too. */
  blob(tag: number, blob: Uint8Array): void {
    this.reserve(20 + blob.length);
    this.put(tag);
    this.put(blob.length);
    this.bytes.set(blob, this.at);
    this.at += blob.length;
  }

  /** Begins a nested message. @returns what {@link finish} wants */
  begin(tag: number): number {
    this.reserve(20);
    this.put(tag);
    this.at += 1;
    return this.at;
  }

  /** Fills in the length: one byte was left for it, and what is longer moves up. */
  finish(start: number): void {
    const length = this.at - start;
    if (length < 0x80) {
      this.bytes[start - 1] = length;
      return;
    }
    const more = length < 0x4000 ? 1 : length < 0x20_0000 ? 2 : 3;
    this.reserve(more);
    this.bytes.copyWithin(start + more, start, this.at);
    this.at = start - 1;
    this.put(length);
    this.at += length;
  }

  private put(value: number): void {
    let rest = value;
    while (rest >= 0x80) {
      this.bytes[this.at] = (rest % 0x80) | 0x80;
      this.at += 1;
      rest = Math.floor(rest / 0x80);
    }
    this.bytes[this.at] = rest;
    this.at += 1;
  }

  private reserve(length: number): void {
    if (this.at + length <= this.bytes.length) return;
    const larger = Buffer.allocUnsafe(2 * (this.at + length));
    this.bytes.copy(larger, 0, 0, this.at);
    this.bytes = larger;
  }
}
