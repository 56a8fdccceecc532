const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;

/** Four would do for a snapshot; a parser that calls itself needs stack for each. */
const MAX_DEPTH = 32;
/** What is looked at and parsed in one go, a ms or two. The largest rule that is valid takes some 30,000 characters. */
const MAX_PIECE_CHARS = 262_144;
/** An empty object is 3 characters and 56 bytes: this bounds what a body of a given size becomes. Half a million rules have fewer. */
const MAX_VALUES = 4_194_304;

/**
 * Where the parts of a JSON text are, without a look at whether it is JSON. A text that is out of all proportion is not read on: nested deeper than 32
 * levels, with a part of more than 256 Ki characters, or with more than 4 Mi values in all.
 */
export class JsonScan {
  private values = 0;

  constructor(readonly text: string) {}

  /**
   * Place after the white space of RFC 8259, section 2, at `from`.
   * @throws RangeError when there is out of all proportion of it
   */
  afterSpace(from: number): number {
    let at = from;
    while (isSpace(this.text.charCodeAt(at))) {
      at += 1;
      if (at - from > MAX_PIECE_CHARS) throw tooLong(from);
    }
    return at;
  }

  /**
   * Place after the string that begins at `from`; the text's end when it does not end.
   * @throws RangeError when it is too long
   */
  afterString(from: number): number {
    const { text } = this;
    for (let quote = text.indexOf('"', from + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
      if (quote - from > MAX_PIECE_CHARS) throw tooLong(from);
      let escapes = quote;
      while (text.charCodeAt(escapes - 1) === BACKSLASH) escapes -= 1;
      // Two backslashes are one character, and an odd one escapes the quote.
      if ((quote - escapes) % 2 === 0) return quote + 1;
    }
    return text.length;
  }

  /**
   * Place of the first comma that is at least `atLeast` characters further, or of the bracket that closes what is around, whichever comes
   * first; the text's end when there is neither. Commas and brackets in strings and in what is nested do not count.
   * @throws RangeError when the part is too long or too deep, or there are too many values by now
   */
  endOfPiece(from: number, atLeast = 0): number {
    const { text } = this;
    const end = Math.min(text.length, from + MAX_PIECE_CHARS + 1);
    let depth = 0;
    this.countValue();
    for (let at = from; at < end; at += 1) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) at = this.afterString(at) - 1;
      else if (isOpening(code)) {
        depth += 1;
        if (depth > MAX_DEPTH) throw new RangeError(`the JSON is nested deeper than ${MAX_DEPTH} levels at character ${at}`);
        this.countValue();
      } else if (isClosing(code)) {
        if (depth === 0) return at;
        depth -= 1;
      } else if (code === COMMA) {
        if (depth === 0 && at - from >= atLeast) return at;
        this.countValue();
      }
    }
    if (end < text.length) throw tooLong(from);
    return end;
  }

  private countValue(): void {
    this.values += 1;
    if (this.values > MAX_VALUES) throw new RangeError(`the JSON has more than ${MAX_VALUES} values`);
  }
}

function tooLong(from: number): RangeError {
  return new RangeError(`the JSON has a part of more than ${MAX_PIECE_CHARS} characters at character ${from}`);
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** `[` or `{`: they differ by one bit, as their counterparts do. */
function isOpening(code: number): boolean {
  return (code | 0x20) === 0x7b;
}

function isClosing(code: number): boolean {
  return (code | 0x20) === 0x7d;
}
