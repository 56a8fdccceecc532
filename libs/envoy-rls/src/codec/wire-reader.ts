import { isUtf8 } from 'node:buffer';

/** Bytes that are no message. Thrown within the codec alone: whoever decodes gets a fault as a value. */
export class WireError extends Error {}

/** Wire types of protobuf's encoding (https://protobuf.dev/programming-guides/encoding/). */
export const WIRE = { varint: 0, fixed64: 1, bytes: 2, startGroup: 3, endGroup: 4, fixed32: 5 } as const;

/** Groups within groups that are still skipped; deeper ones are an attack. */
const DEEPEST_GROUP = 32;
const LARGEST_TAG = 0xffff_ffff;

/**
 * Reads protobuf's encoding in place: nothing is copied but the strings. It has one end, which a nested message moves nearer: `const end =
 * reader.enter()`, read while `reader.hasMore()`, `reader.leave(end)`.
 */
export class WireReader {
  private at = 0;
  private end = 0;
  private bytes: Buffer = Buffer.alloc(0);

  /** Begins anew, so that one reader serves all messages of a thread. */
  open(bytes: Buffer): void {
    this.bytes = bytes;
    this.at = 0;
    this.end = bytes.length;
  }

  hasMore(): boolean {
    return this.at < this.end;
  }

  /** Field number times 8 plus {@link WIRE}. */
  tag(): number {
    const tag = this.varint();
    if (tag < 8 || tag > LARGEST_TAG) throw new WireError('no such field number');
    return tag;
  }

  /** Up to 64 bits; what is above 2^53-1 is read as that. */
  varint(): number {
    const { bytes, end } = this;
    let at = this.at;
    if (at < end) {
      const only = bytes[at] ?? 0;
      if (only < 0x80) {
        this.at = at + 1;
        return only;
      }
    }
    let value = 0;
    let scale = 1;
    for (let length = 0; length < 10; length += 1) {
      if (at >= end) throw new WireError('truncated');
      const byte = bytes[at] ?? 0;
      at += 1;
      // The tenth byte has room for one bit; what is beyond 64 bits is dropped, as every parser does.
      value += (length === 9 ? byte & 1 : byte & 0x7f) * scale;
      scale *= 0x80;
      if (byte < 0x80) {
        this.at = at;
        return value > Number.MAX_SAFE_INTEGER ? Number.MAX_SAFE_INTEGER : value;
      }
    }
    throw new WireError('a number of more than 10 bytes');
  }

  /** The low 32 bits of a varint, as protobuf reads a `uint32`, whatever is above. */
  uint32(): number {
    const { bytes, end } = this;
    let value = 0;
    for (let length = 0; length < 10; length += 1) {
      if (this.at >= end) throw new WireError('truncated');
      const byte = bytes[this.at] ?? 0;
      this.at += 1;
      if (length < 5) value |= (byte & 0x7f) << (7 * length);
      if (byte < 0x80) return value >>> 0;
    }
    throw new WireError('a number of more than 10 bytes');
  }

  /**
   * UTF-8. What is none is taken for what it is, byte by byte behind a U+FFFD, so that two keys that differ do not become one (R11). It is not
   * refused, though a parser may: Envoy sends header fields of clients as they are, and lets a request pass whose call failed, so that one odd byte
   * would be the way around every limit.
   */
  string(): string {
    const { bytes } = this;
    const length = this.length();
    const from = this.at;
    const to = from + length;
    this.at = to;
    for (let i = from; i < to; i += 1) {
      if ((bytes[i] ?? 0) < 0x80) continue;
      const slice = bytes.subarray(from, to);
      return isUtf8(slice) ? slice.toString() : `\ufffd${slice.toString('latin1')}`;
    }
    return bytes.toString('latin1', from, to);
  }

  /** Goes into a nested message. @returns what {@link leave} wants */
  enter(): number {
    const length = this.length();
    const outer = this.end;
    this.end = this.at + length;
    return outer;
  }

  leave(outer: number): void {
    this.end = outer;
  }

  /** Steps over a field whose tag has just been read. */
  skip(tag: number, depth = 0): void {
    switch (tag & 7) {
      case WIRE.varint:
        this.varint();
        return;
      case WIRE.fixed64:
        this.step(8);
        return;
      case WIRE.bytes:
        this.step(this.length());
        return;
      case WIRE.fixed32:
        this.step(4);
        return;
      case WIRE.startGroup:
        return this.skipGroup(tag, depth);
      default:
        throw new WireError('a wire type that means nothing here');
    }
  }

  private skipGroup(start: number, depth: number): void {
    if (depth === DEEPEST_GROUP) throw new WireError('groups that are nested too deep');
    for (;;) {
      const tag = this.tag();
      if ((tag & 7) !== WIRE.endGroup) this.skip(tag, depth + 1);
      else if (tag === start + 1) return;
      else throw new WireError('a group that ends as another one');
    }
  }

  /** A length that is followed by as many bytes. */
  private length(): number {
    const length = this.varint();
    if (length > this.end - this.at) throw new WireError('truncated');
    return length;
  }

  private step(length: number): void {
    if (length > this.end - this.at) throw new WireError('truncated');
    this.at += length;
  }
}
