import type { Registry } from '@sluice/platform';
import type { FastifyInstance } from 'fastify';
import { Gauge, Histogram } from 'prom-client';

/** Times every answer, the upstream's time included. Neither path nor key is a label: both are the clients' to make up (R93). */
export function measureProxy(fastify: FastifyInstance, registry: Registry, tunnels: { readonly size: number }): void {
  const duration = new Histogram({
    name: 'sluice_gateway_request_duration_seconds',
    help: 'Time to answer a request of a client, the upstream included.',
    labelNames: ['status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  });
  new Gauge({
    name: 'sluice_gateway_websockets',
    help: 'WebSockets that are open.',
    registers: [registry],
    collect() {
      this.set(tunnels.size);
    },
  });
  fastify.addHook('onResponse', (_request, reply, done) => {
    duration.observe({ status: String(reply.statusCode) }, reply.elapsedTime / 1000);
    done();
  });
}
