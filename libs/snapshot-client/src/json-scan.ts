const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;

/** Place after the white space of RFC 8259, section 2, at `from`. */
export function afterSpace(text: string, from: number): number {
  let at = from;
  while (isSpace(text.charCodeAt(at))) at += 1;
  return at;
}

/** Place after the string that begins at `from`; the text's end when it does not end. */
export function afterString(text: string, from: number): number {
  for (let quote = text.indexOf('"', from + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let escapes = quote;
    while (text.charCodeAt(escapes - 1) === BACKSLASH) escapes -= 1;
    // Two backslashes are one character, and an odd one escapes the quote.
    if ((quote - escapes) % 2 === 0) return quote + 1;
  }
  return text.length;
}

/**
 * Place of the first comma that is at least `atLeast` characters further, or of the bracket that closes what is around, whichever comes
 * first; the text's end when there is neither. Commas and brackets in strings and in what is nested do not count. Whether the text is JSON is
 * not looked at.
 */
export function endOfPiece(text: string, from: number, atLeast = 0): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = afterString(text, at) - 1;
    else if (isOpening(code)) depth += 1;
    else if (isClosing(code)) {
      if (depth === 0) return at;
      depth -= 1;
    } else if (code === COMMA && depth === 0 && at - from >= atLeast) return at;
  }
  return text.length;
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
