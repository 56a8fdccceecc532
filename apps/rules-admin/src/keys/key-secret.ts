import { createHash, randomBytes } from 'node:crypto';

/** A new secret: 256 random bits. The prefix lets secret scanners find a leaked one. */
export function newSecret(): string {
  return `sk_${randomBytes(32).toString('base64url')}`;
}

/** What is stored of a secret, and what gateways look up: SHA-256, lower-case hex. */
export function secretHash(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** An id for a key that came without one. */
export function newKeyId(): string {
  return `key_${randomBytes(12).toString('hex')}`;
}
