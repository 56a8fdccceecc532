import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import type { HealthChecks } from './health-checks.js';

/** What the routes for the operator show. */
export interface Operations {
  readonly health: HealthChecks;
  readonly metrics: Registry;
  /** In place of what the registry says. */
  readonly exposition?: (() => Promise<string>) | undefined;
}

/**
 * `GET /healthz` (the process answers), `GET /readyz` (200 or 503, each check by name) and `GET /metrics` (Prometheus text), as raw
 * Fastify routes: they need no authorisation, and an app may put them on a port of their own.
 */
export function addOperationsRoutes(fastify: FastifyInstance, { health, metrics, exposition = () => metrics.metrics() }: Operations): void {
  fastify.get('/healthz', (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }));
  fastify.get('/readyz', async (_request, reply) => {
    const { ready, checks } = await health.readiness();
    return reply
      .code(ready ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status: ready ? 'ready' : 'not_ready', checks });
  });
  fastify.get('/metrics', async (_request, reply) => reply.type(metrics.contentType).send(await exposition()));
}
