import { randomBytes } from 'node:crypto';

/** A new token: 256 random bits. The prefix lets secret scanners find a leaked one. */
export function newToken(): string {
  return `slu_${randomBytes(32).toString('base64url')}`;
}

/** Whether the text could be one: what could not is nobody's token without a look. */
export function isTokenText(text: string): boolean {
  return /^slu_[A-Za-z0-9_-]{43}$/.test(text);
}
