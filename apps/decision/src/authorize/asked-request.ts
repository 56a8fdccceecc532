import { endpointOf } from '@sluice/middleware';
import type { IncomingHttpHeaders } from 'node:http';
import type { AuthorizeQuery } from './authorize-query.js';

/** What a proxy asks about. */
export type AskedRequest = { readonly ok: true; readonly method: string; readonly endpoint: string } | { readonly ok: false; readonly detail: string };

const KINDS = {
  original: { uri: 'x-original-uri', method: 'x-original-method', uriName: 'X-Original-URI', methodName: 'X-Original-Method' },
  forwarded: { uri: 'x-forwarded-uri', method: 'x-forwarded-method', uriName: 'X-Forwarded-Uri', methodName: 'X-Forwarded-Method' },
} as const;

const TOKEN = /^[!#$%&'*+.^_`|~\dA-Za-z-]{1,64}$/;
/** Node joins what is there twice by a comma and a blank, and no target has a blank (RFC 9112, section 3). */
const BLANK = /\s/;
const ABSOLUTE = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i;

/**
 * Reads what the proxy asks about. Proxies pass a client's own fields on, so that the kind which this one does not write is the client's word:
 * where the configuration does not say which is which, both kinds at once are refused.
 */
export function askedRequest(headers: IncomingHttpHeaders, fields: AuthorizeQuery['fields']): AskedRequest {
  const kind = fields ?? kindOf(headers);
  if (kind === undefined) return { ok: false, detail: 'There are fields X-Original-* and X-Forwarded-*, and one kind is the client\'s: say which the proxy writes, by fields=original or fields=forwarded.' };
  const { uri, method, uriName, methodName } = KINDS[kind];
  const [target, verb] = [headers[uri], headers[method]];
  if (typeof target !== 'string' || target === '' || BLANK.test(target)) return { ok: false, detail: `The proxy must say once in ${uriName} what is asked for.` };
  if (typeof verb !== 'string' || !TOKEN.test(verb)) return { ok: false, detail: `The proxy must say once in ${methodName} by what method.` };
  return { ok: true, method: verb, endpoint: endpointOf(verb, originForm(target)) };
}

function kindOf(headers: IncomingHttpHeaders): keyof typeof KINDS | undefined {
  const original = headers['x-original-uri'] !== undefined || headers['x-original-method'] !== undefined;
  const forwarded = headers['x-forwarded-uri'] !== undefined || headers['x-forwarded-method'] !== undefined;
  if (original && forwarded) return undefined;
  return forwarded ? 'forwarded' : 'original';
}

/** Servers take the absolute form of a target as they take its path (RFC 9112, section 3.2.2). */
function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const path = target.replace(ABSOLUTE, '');
  return path.startsWith('/') ? path : `/${path}`;
}
