import type { RequestOptions } from 'node:http';

/** Where the service is, in the terms of node:http. */
export interface ServiceAddress {
  readonly secure: boolean;
  readonly target: Pick<RequestOptions, 'host' | 'port' | 'socketPath' | 'headers'>;
  /** Put before each path; empty or `/…`. */
  readonly basePath: string;
}

/** @throws RangeError for what is neither `http:`, `https:` nor `unix:/…` */
export function serviceAddress(url: string): ServiceAddress {
  if (url.startsWith('unix:')) {
    const socketPath = url.slice('unix:'.length);
    if (!socketPath.startsWith('/')) throw new RangeError(`a Unix socket is named by its whole path, unix:/run/sluice.sock, not ${JSON.stringify(url)}`);
    return { secure: false, target: { socketPath, headers: { Host: 'localhost' } }, basePath: '' };
  }
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol !== 'http:' && parsed?.protocol !== 'https:') throw new RangeError(`the decision service is http://…, https://… or unix:/…, not ${JSON.stringify(url)}`);
  const { hostname, port, host, pathname, protocol, username } = parsed;
  if (username !== '') throw new RangeError('the decision service takes a token, not a name in its URL');
  const secure = protocol === 'https:';
  // node:http wants an IPv6 address without its brackets.
  const target = { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? (secure ? 443 : 80) : Number(port), headers: { Host: host } };
  return { secure, target, basePath: pathname.replace(/\/+$/, '') };
}
