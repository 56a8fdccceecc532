import { hash } from 'node:crypto';

/** What is kept of a token, and compared: SHA-256. Tokens are random, so that no slow hash is needed; those of the environment should be. */
export function tokenHash(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
