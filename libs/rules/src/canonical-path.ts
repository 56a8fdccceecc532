/** RFC 3986 `pchar` and the slash: what a path may hold as it is. */
const CANONICAL = /^[\w.~!$&'()*+,;=:@/-]*$/;

/** An escape, or one character that may not stand as it is. A `%` that begins no escape is one of those. */
const TO_REWRITE = /%[0-9a-fA-F]{2}|[^\w.~!$&'()*+,;=:@/-]/gu;

const PCHAR = /^[\w.~!$&'()*+,;=:@-]$/;

/**
 * The one spelling of a path (RFC 3986, section 6.2.2): escapes of characters that a segment may hold as they are get decoded (sub-delims, `:` and
 * `@` too, which hardly an upstream tells apart from their escapes), the hex digits of all others are in upper case, and what may not stand raw is
 * escaped. An escaped slash stays escaped: it divides no segments. Never throws, and changes nothing when applied again. Dot segments are
 * the caller's.
 */
export function canonicalPath(path: string): string {
  return CANONICAL.test(path) ? path : path.replaceAll(TO_REWRITE, (found) => (found.length === 3 ? canonicalEscape(found) : escapeOf(found)));
}

/** Half a surrogate pair has no bytes; U+FFFD stands for it, as everywhere on the web. */
function escapeOf(character: string): string {
  return /\p{Surrogate}/u.test(character) ? '%EF%BF%BD' : encodeURIComponent(character);
}

function canonicalEscape(escape: string): string {
  const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
  return PCHAR.test(character) ? character : escape.toUpperCase();
}
