/** Where the service is. */
export interface ServiceAddress {
  readonly origin: string;
  /** A Unix socket to connect to instead of the origin's host. */
  readonly socketPath: string | undefined;
  /** Put before each path; empty or `/…`. */
  readonly basePath: string;
}

/** @throws RangeError for what is neither `http:`, `https:` nor `unix:/…` */
export function serviceAddress(url: string): ServiceAddress {
  if (url.startsWith('unix:')) {
    const socketPath = url.slice('unix:'.length);
    if (!socketPath.startsWith('/')) throw new RangeError(`a Unix socket is named by its whole path, unix:/run/sluice/decision.sock, not ${JSON.stringify(url)}`);
    return { origin: 'http://localhost', socketPath, basePath: '' };
  }
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol !== 'http:' && parsed?.protocol !== 'https:') throw new RangeError(`the decision service is http://…, https://… or unix:/…, not ${JSON.stringify(url)}`);
  if (parsed.username !== '') throw new RangeError('the decision service takes a token, not a name in its URL');
  return { origin: parsed.origin, socketPath: undefined, basePath: parsed.pathname.replace(/\/+$/, '') };
}
