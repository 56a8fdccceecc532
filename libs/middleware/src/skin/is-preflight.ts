import type { RawRequest } from './skin-adapter.js';

/** Whether a browser asks what it may send (Fetch, CORS-preflight request). Any other OPTIONS is a request like others: mounted handlers do all their work for it. */
export function isPreflight({ method, headers }: RawRequest): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
}
