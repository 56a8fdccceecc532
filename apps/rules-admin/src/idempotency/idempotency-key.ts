const MAX_LENGTH = 255;

/** A Structured Field String (RFC 9651 section 3.3.3), without parameters. */
const QUOTED = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/;

/** What many clients send instead: visible ASCII without the characters that a structured field or a list of fields gives a meaning to. */
const BARE = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]+$/;

/**
 * The key in an `Idempotency-Key` field (draft-ietf-httpapi-idempotency-key-header-07 section 2.1): `"8e03…"`, or bare `8e03…`, which is the same key.
 *
 * @returns 1 to 255 characters; undefined when it is none
 */
export function readIdempotencyKey(field: string): string | undefined {
  const text = field.trim();
  const key = QUOTED.exec(text)?.[1]?.replaceAll(/\\(["\\])/g, '$1') ?? (BARE.test(text) ? text : '');
  return key.length >= 1 && key.length <= MAX_LENGTH ? key : undefined;
}
