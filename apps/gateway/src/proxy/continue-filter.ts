const ZERO = 0x30;
const ONE = 0x31;
const TWO = 0x32;
const LF = 0x0a;
const CR = 0x0d;
/** Of the three digits of a status in `HTTP/1.1 200`. */
const FIRST_DIGIT = 9;
const LAST_DIGIT = 11;

/**
 * undici takes a `100 Continue` that it has not asked for as no HTTP, and every other interim answer as something to be left out. A server may send it all the
 * same (RFC 9110, section 15.2), so that each 100 in front of an answer is made a 102 in the bytes that come. Needs to be told when an answer is next.
 */
export class ContinueFilter {
  private phase: 'line' | 'fields' | 'rest' = 'line';
  /** Bytes of the status line that went by. */
  private seen = 0;
  private tens = 0;
  /** Whether nothing but CR came since the last LF. */
  private isBlank = false;

  /** An answer is next. */
  expectHead(): void {
    this.phase = 'line';
    this.seen = 0;
  }

  /** What comes on the connection, in order; changed in place. */
  see(chunk: Buffer): void {
    for (let at = 0; at < chunk.length && this.phase !== 'rest'; at += 1) {
      const byte = chunk[at] ?? 0;
      if (this.phase === 'fields') this.seeField(byte);
      else if (this.seeLine(byte)) chunk[at] = TWO;
    }
  }

  /** @returns whether the byte is the last digit of a 100 */
  private seeLine(byte: number): boolean {
    const at = this.seen;
    this.seen += 1;
    if (at < FIRST_DIGIT) return false;
    if (at === FIRST_DIGIT && byte !== ONE) this.phase = 'rest';
    if (at === FIRST_DIGIT + 1) this.tens = byte;
    if (at < LAST_DIGIT) return false;
    this.phase = 'fields';
    this.isBlank = false;
    return this.tens === ZERO && byte === ZERO;
  }

  private seeField(byte: number): void {
    if (byte === LF && this.isBlank) this.expectHead();
    else if (byte !== CR) this.isBlank = byte === LF;
  }
}
