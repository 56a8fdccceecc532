import type { FastifyInstance } from 'fastify';

interface Route {
  readonly pattern: RegExp;
  readonly methods: Set<string>;
}

/** A Fastify route template as a pattern over the path: `:name` is one segment, `*` the rest, `::` a colon. */
function patternOf(url: string): RegExp {
  const source = url
    .split(/(::|:[A-Za-z0-9_]+(?:\([^)]*\))?|\*)/)
    .map((part) => {
      if (part === '::') return ':';
      if (part === '*') return '.*';
      if (part.startsWith(':')) return '[^/]+';
      return part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
    })
    .join('');
  return new RegExp(`^${source}$`);
}

/** Which methods a path answers to. Fastify answers 404 where RFC 9110 section 15.5.6 asks for 405 with `Allow`. */
export class RouteTable {
  private readonly routes = new Map<string, Route>();

  /** Records every route that is registered on the instance from now on. */
  watch(fastify: FastifyInstance): void {
    fastify.addHook('onRoute', ({ url, method }) => {
      // A catch-all would claim every path.
      if (url === '*' || url === '/*') return;
      const route = this.routes.get(url) ?? { pattern: patternOf(url), methods: new Set() };
      for (const name of Array.isArray(method) ? method : [method]) route.methods.add(name);
      this.routes.set(url, route);
    });
  }

  /** The methods of the routes that match the path, in alphabetical order; empty where nothing is. */
  methodsAt(path: string): string[] {
    const methods = new Set<string>();
    for (const route of this.routes.values()) {
      if (route.pattern.test(path)) for (const method of route.methods) methods.add(method);
    }
    return [...methods].sort();
  }
}
