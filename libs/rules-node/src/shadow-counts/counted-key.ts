import { createHash } from 'node:crypto';
import { type CompiledRule, normalizeIp, type RequestAttributes } from '@sluice/rules';

/** Longer ones are hashed: what clients can choose must not fill the memory. */
const MAX_LENGTH = 256;

/** Whom a request is counted for: its key id, else what the rule counts by, as `ip=192.0.2.1`. */
export function countedKey({ countBy }: Pick<CompiledRule, 'countBy'>, attributes: RequestAttributes): string {
  const { key_id: keyId } = attributes;
  const key = keyId !== undefined && keyId !== '' ? keyId : countBy.map((name) => `${name}=${valueOf(name, attributes)}`).join();
  return key.length > MAX_LENGTH ? hashed(key) : key;
}

/** The same, as the control plane can store it: well-formed, without control characters. */
export function sendableKey(key: string): string {
  return /[\p{Cc}\p{Surrogate}]/u.test(key) ? hashed(key) : key;
}

function valueOf(name: string, attributes: RequestAttributes): string {
  const value: string | undefined = attributes[name];
  return name === 'ip' && value !== undefined ? (normalizeIp(value) ?? value) : (value ?? '');
}

function hashed(key: string): string {
  return `sha256:${createHash('sha256').update(key, 'utf16le').digest('base64url')}`;
}
