import { EXPOSED_HEADERS } from '@sluice/middleware';

/**
 * The CORS fields of an answer that the gateway makes itself: without them a page sees a network error instead of a 429 (known
 * failure 73). Empty for a request without an origin, or one that is not allowed.
 *
 * @param allowed origins, or `*` among them for any
 */
export function ownCorsHeaders(origin: string | undefined, allowed: readonly string[]): Record<string, string> {
  if (origin === undefined) return {};
  const any = allowed.includes('*');
  if (!any && !allowed.includes(origin)) return {};
  return { 'Access-Control-Allow-Origin': any ? '*' : origin, ...(any ? {} : { Vary: 'Origin' }), 'Access-Control-Expose-Headers': EXPOSED_HEADERS };
}

/** `Access-Control-Expose-Headers` for an upstream's answer that a page may read: what it says, and our fields. */
export function exposedWith(upstreams: string | undefined): string {
  return upstreams === undefined || upstreams.trim() === '' ? EXPOSED_HEADERS : `${upstreams}, ${EXPOSED_HEADERS}`;
}
