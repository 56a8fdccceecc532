import { type ParsedQuery, parseAuthorizeQuery } from './authorize-query.js';

/** A proxy's configuration has a few; whoever may ask could send many. */
const MOST = 256;

/** {@link parseAuthorizeQuery} that remembers: a proxy sends the same text with every request. */
export function cachedQueries(): (url: string) => ParsedQuery {
  const known = new Map<string, ParsedQuery>();
  return (url) => {
    const at = url.indexOf('?');
    const text = at < 0 ? '' : url.slice(at + 1);
    let parsed = known.get(text);
    if (parsed === undefined) {
      parsed = parseAuthorizeQuery(text);
      if (known.size >= MOST) known.clear();
      known.set(text, parsed);
    }
    return parsed;
  };
}
