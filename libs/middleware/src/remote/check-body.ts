import { hash } from 'node:crypto';
import type { RequestAttributes } from '@sluice/rules';

/** The most that the service takes of a value, UTF-8 bytes. */
const MAX_VALUE_BYTES = 8192;

/** How a check is asked for beside its attributes. */
export interface CheckKind {
  readonly cost: number;
  readonly peek?: true;
  readonly reserve?: true;
  readonly reserve_seconds?: number;
}

/** Body of `POST /v1/ratelimit:check`: attributes become descriptors, `domain` a field of its own. */
export function checkBody(attributes: RequestAttributes, defaultDomain: string, kind: CheckKind): string {
  const { domain = defaultDomain } = attributes;
  const descriptors: { key: string; value: string }[] = [];
  for (const key of Object.keys(attributes)) {
    const value = attributes[key];
    if (value !== undefined && key !== 'domain') descriptors.push({ key, value: fitting(key, value) });
  }
  return JSON.stringify({ domain, descriptors, ...kind });
}

/**
 * A value that the service takes. Clients choose how long some are, and too long must not mean not limited (known failure 31): a path is cut, so that
 * rules for its beginning still match, and anything else is hashed.
 */
function fitting(key: string, value: string): string {
  const isWellFormed = !/\p{Surrogate}/u.test(value);
  // A UTF-16 unit has three bytes at most.
  if (isWellFormed && value.length * 3 <= MAX_VALUE_BYTES) return value;
  const bytes = Buffer.from(value);
  if (bytes.length <= MAX_VALUE_BYTES) return isWellFormed ? value : bytes.toString();
  // A character that is cut becomes U+FFFD, which has three bytes.
  return key === 'endpoint' ? bytes.toString('utf8', 0, MAX_VALUE_BYTES - 3) : `sha256:${hash('sha256', value, 'hex')}`;
}
