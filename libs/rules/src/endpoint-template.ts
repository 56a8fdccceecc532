import { canonicalPath } from './canonical-path.js';

/** A method and a route, taken apart. */
export interface EndpointTemplate {
  /** Undefined: any method. */
  readonly method: string | undefined;
  /** A literal segment in its {@link canonicalPath}, or undefined for `{param}`. */
  readonly segments: readonly (string | undefined)[];
  /** Ends in `/*`: any number of further segments, none included. */
  readonly tail: boolean;
}

export type ParsedEndpoint =
  | { readonly kind: 'any' }
  | { readonly kind: 'template'; readonly template: EndpointTemplate }
  | { readonly kind: 'malformed'; readonly detail: string };

const MAX_LENGTH = 512;
const METHOD = /^[A-Z]{1,16}$/;
const PARAM = /^\{[a-zA-Z_][a-zA-Z0-9_]{0,63}\}$/;
/** RFC 3986 `pchar` without `*`; a colon in front would be the `:id` of Express, which is a literal here and never what is meant. */
const LITERAL = /^(?!:)(?:[a-zA-Z0-9._~!$&'()+,;=:@-]|%[0-9A-Fa-f]{2})+$/;

/**
 * Reads `GET /v1/items/{id}`, `/v1/items/*` (any method), `GET *` or `*` (anything, as an absent endpoint; so is `/*`). The names of
 * parameters do not matter, nor do a slash at the end and how a literal is escaped. Dot segments are malformed: requests are resolved before they are
 * matched, so that such a rule would never apply.
 */
export function parseEndpoint(text: string): ParsedEndpoint {
  if (text.length > MAX_LENGTH) return malformed(`must be at most ${String(MAX_LENGTH)} characters`);
  const space = text.indexOf(' ');
  const method = space < 0 ? undefined : text.slice(0, space);
  const path = text.slice(space + 1);
  if (method !== undefined && !METHOD.test(method)) return malformed('must start with a method in upper case and one space, or with /');
  if (path === '*' || path === '/*') {
    return method === undefined ? { kind: 'any' } : { kind: 'template', template: { method, segments: [], tail: true } };
  }
  if (!path.startsWith('/')) return malformed('must be *, a path that starts with /, or a method and one of these');
  const parts = path.slice(1).split('/');
  const tail = parts.at(-1) === '*';
  if (tail || parts.at(-1) === '') parts.pop();
  const wrong = parts.find((part) => !LITERAL.test(part) && !PARAM.test(part));
  if (wrong !== undefined) {
    return malformed(`has the segment "${wrong}": a segment is a literal, one {param}, or * at the very end`);
  }
  const segments = parts.map((part) => (part.startsWith('{') ? undefined : canonicalPath(part)));
  if (segments.includes('.') || segments.includes('..')) return malformed('has a dot segment, which no request has left when it is matched: write the path that it leads to');
  return { kind: 'template', template: { method, segments, tail } };
}

/** Equal for templates that match the same requests. */
export function templateKey({ method, segments, tail }: EndpointTemplate): string {
  // A literal asterisk (`%2A`) is no tail.
  return `${method ?? ''} /${segments.map((segment) => (segment === '*' ? '%2A' : (segment ?? '{}'))).join('/')}${tail ? '/*' : ''}`;
}

function malformed(detail: string): ParsedEndpoint {
  return { kind: 'malformed', detail };
}
