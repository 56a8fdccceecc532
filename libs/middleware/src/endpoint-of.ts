import { canonicalPath } from '@sluice/rules';
import { flatText } from './flat-text.js';

/** Nothing to decode and no dot segment: true of nearly every path, and cheap to see. */
const PLAIN = /^(?:\/(?!\.)[\w~-][\w.~-]*|\/)*$/;

/**
 * The `endpoint` attribute of a request: method and path as the upstream will understand them. HEAD counts as GET (known failure
 * 73). Another spelling of a path must not be a way around its rule: dot segments are resolved as they are when the
 * request is sent on, and escapes are brought into one spelling. The query does not matter.
 */
export function endpointOf(method: string, url: string): string {
  const query = url.indexOf('?');
  const path = query < 0 ? url : url.slice(0, query);
  return flatText(`${method === 'HEAD' ? 'GET' : method} ${PLAIN.test(path) ? path : normalPath(path)}`);
}

function normalPath(path: string): string {
  // An own authority keeps `//host/x` a path.
  const target = `http://upstream${path.startsWith('/') ? '' : '/'}${path}`;
  const { pathname } = URL.canParse(target) ? new URL(target) : { pathname: path };
  return canonicalPath(pathname);
}
