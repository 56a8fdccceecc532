import type { IncomingMessage, ServerResponse } from 'node:http';
import { KEY_HEADER } from './local-limiter.js';

/** As long as those that the skin writes for the benchmark's rule. */
const FIELDS = [
  ['X-RateLimit-Limit', '1000000000'],
  ['X-RateLimit-Remaining', '999000'],
  ['X-RateLimit-Reset', '1764522000'],
  ['RateLimit-Policy', '"per-key";q=1000000000;w=3600'],
  ['RateLimit', '"per-key";r=999000;t=3600'],
] as const;

/**
 * What every limiter by key pays to node:http whatever it decides: the key's field is read, and with it the whole head of the request, and five fields are
 * checked, kept and written.
 */
export function writeFixedFields(request: IncomingMessage, response: ServerResponse): void {
  if (request.headers[KEY_HEADER] === undefined) throw new Error(`a request without ${KEY_HEADER}`);
  for (const [name, value] of FIELDS) response.setHeader(name, value);
}
