import { createHash } from 'node:crypto';

/**
 * The first `chars` of the base64url SHA-256 of a string, 6 bits each. Over its UTF-16 units: in UTF-8 all lone surrogates would
 * become the same replacement character (R11).
 */
export function hashText(text: string, chars: number): string {
  return createHash('sha256').update(Buffer.from(text, 'utf16le')).digest('base64url').slice(0, chars);
}
