import { canonicalPath } from '@sluice/rules';

/** One spelling already, as nearly all are. */
const PLAIN = /^(?:\/[a-z0-9_.~!$&'()*+,;=:@-]+)+$/;
const END = /[?#]/;
const UPPER = /[A-Z]/;
/** Slashes that divide nothing; neither rules nor most routers look at them. */
const IDLE_SLASHES = /\/+(?=\/|$)/g;
const HAS_IDLE_SLASHES = /\/\/|.\/$/;

/** How paths are told apart where no route is known. */
export interface PathReading {
  /** Whether the routes tell `/Search` from `/search`; `undefined`: as the framework says of itself. */
  readonly caseSensitive: boolean | undefined;
  /** Hears that a path was brought to lower case without anybody having asked for it. */
  readonly onFold: () => void;
}

/**
 * A path as routers of frameworks see it: in one spelling, without the query, and with its dot segments, which they take for names (the
 * gateway's upstream resolves them, see `endpointOf`). Where routes are matched whatever the case it is in lower case: else every spelling would be a way around a rule.
 */
export function routedPath<F>(target: string, { caseSensitive, onFold }: PathReading, framework: F, isCaseSensitive: (framework: F) => boolean): string {
  if (PLAIN.test(target)) return target;
  const end = target.search(END);
  const path = canonicalPath(end < 0 ? target : target.slice(0, end));
  const rooted = path.startsWith('/') ? path : `/${path}`;
  const whole = HAS_IDLE_SLASHES.test(rooted) ? rooted.replace(IDLE_SLASHES, '') || '/' : rooted;
  if (!UPPER.test(whole) || (caseSensitive ?? isCaseSensitive(framework))) return whole;
  // The digits of escapes are in upper case.
  const folded = canonicalPath(whole.toLowerCase());
  if (caseSensitive === undefined && folded !== whole) onFold();
  return folded;
}

/**
 * The path of a request that a wildcard route matched, as `/items/{id}` of the route and the rest as it was sent: however the beginning is spelled, the rule
 * for `/items/{id}/*` applies, and rules for what is below it can.
 *
 * @param template ends in `/*`, see `routeTemplate`
 * @returns `undefined` where the path is none of this route: Express remembers a route that has passed the request on
 */
export function belowTemplate(template: string, path: string): string | undefined {
  const prefix = template.slice(0, -'/*'.length);
  const rest = restAfter(prefix, path);
  return rest === undefined ? undefined : prefix + rest;
}

/** Whether a path is one of a template without wildcard. */
export function isOfTemplate(template: string, path: string): boolean {
  const rest = restAfter(template, path);
  return rest === '' || rest === '/';
}

/** What is left of the path after the segments of the template, with its slash; `undefined` where they are others. */
function restAfter(template: string, path: string): string | undefined {
  let at = 0;
  for (const name of template.split('/')) {
    if (name === '') continue;
    const from = at + 1;
    const slash = path.indexOf('/', from);
    const end = slash < 0 ? path.length : slash;
    if (!name.startsWith('{') && canonicalPath(name).toLowerCase() !== path.slice(from, end).toLowerCase()) return undefined;
    if (from >= end) return '';
    at = end;
  }
  return path.slice(at);
}
