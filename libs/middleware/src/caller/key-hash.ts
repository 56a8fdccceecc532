import { hash } from 'node:crypto';

/** Visible ASCII, as header values of keys are; anything else was never issued. */
const KEY_SHAPE = /^[\x21-\x7e]{1,256}$/;

/**
 * Hex SHA-256 of an API key, which is how keys are stored and looked up: the key itself is neither kept nor sent on.
 *
 * @returns `undefined` for what cannot be a key (empty, blanks, more than 256 characters): not worth a lookup
 */
export function keyHash(apiKey: string): string | undefined {
  return KEY_SHAPE.test(apiKey) ? hash('sha256', apiKey, 'hex') : undefined;
}
