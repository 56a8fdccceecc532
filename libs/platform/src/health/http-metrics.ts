import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import { routeLabel } from '../logging/route-label.js';
import { type Tally, TalliedHistogram } from './tallied-histogram.js';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** The counts of a route's answers, by its template as Fastify has it; '' is no route. */
export type TallyOf = (method: string, url: string, status: number) => Tally;

/**
 * Times every answer. Labels are the route's template and never its path, and methods out of a fixed set: a caller who makes up
 * paths and methods makes up no time series (R93).
 *
 * @returns where to count answers that are given past Fastify
 */
export function measureRequests(fastify: FastifyInstance, registry: Registry): TallyOf {
  const duration = new TalliedHistogram({
    name: 'sluice_http_request_duration_seconds',
    help: 'Time to answer an HTTP request.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  });
  const byRoute = new Map<string, Map<string, Map<number, Tally>>>();
  const tallyOf: TallyOf = (method, url, status) => {
    const known = METHODS.has(method) ? method : 'other';
    const byMethod = entryOf(byRoute, url, () => new Map<string, Map<number, Tally>>());
    const byStatus = entryOf(byMethod, known, () => new Map<number, Tally>());
    return entryOf(byStatus, status, () => duration.tally({ method: known, route: routeLabel(url === '' ? undefined : url), status: String(status) }));
  };
  fastify.addHook('onResponse', (request, reply, done) => {
    // 404 is no route, though its handler has one.
    const url = request.is404 ? '' : (request.routeOptions.url ?? '');
    tallyOf(request.method, url, reply.statusCode).observe(reply.elapsedTime / 1_000);
    done();
  });
  return tallyOf;
}

function entryOf<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let entry = map.get(key);
  if (entry === undefined) {
    entry = make();
    map.set(key, entry);
  }
  return entry;
}
