const kept = new Map<string, string | undefined>();
/** Routes come from code, but some programs make them as they go. */
const MOST_KEPT = 10_000;

const SEGMENT = /^[\w.~$&',;=@%-]*$/;
const PARAMETER = /^:(\w+)$/;
/** The rest of the path: `*` and `*rest` as a last segment, `/{*rest}` and `{/*rest}` (Express, Nest). */
const WILDCARD = /(?:\/\*\w*|\/\{\*\w+\}|\{\/\*\w+\})$/;

/**
 * A framework's route in the form that rules name: `/items/:id` is `/items/{id}`, and a wildcard at the end `/*`. `undefined` for one that has no such form
 * (patterns, optional parts, several parameters in a segment); the path of the request stands for it then.
 */
export function routeTemplate(route: string): string | undefined {
  if (kept.has(route)) return kept.get(route);
  const template = translate(route);
  if (kept.size >= MOST_KEPT) kept.clear();
  kept.set(route, template);
  return template;
}

function translate(route: string): string | undefined {
  const whole = route.startsWith('*') || route.startsWith('{*') ? `/${route}` : route;
  const wildcard = WILDCARD.exec(whole);
  if (wildcard !== null) {
    const prefix = translate(whole.slice(0, wildcard.index));
    return prefix === undefined ? undefined : `${prefix}/*`;
  }
  const segments: string[] = [];
  for (const segment of route.split('/')) {
    const parameter = PARAMETER.exec(segment)?.[1];
    if (parameter === undefined && !SEGMENT.test(segment)) return undefined;
    segments.push(parameter === undefined ? segment : `{${parameter}}`);
  }
  return segments.join('/');
}

/** A method as rules name it: HEAD counts as GET (known failure 73). */
export function ruleMethod(method: string | undefined): string {
  return method === undefined || method === 'HEAD' ? 'GET' : method;
}
