const AUTHORITY = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;

/**
 * The target of a request without scheme and host, which a client may write before the path (RFC 9112, section 3.2.2). Routers look past them, so limits
 * must too: another spelling must not be a way around a rule.
 */
export function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const path = target.replace(AUTHORITY, '');
  return path.startsWith('/') ? path : `/${path}`;
}
