import type { OpenAPIObject } from '@nestjs/swagger';

const CHECKS = {
  type: 'object',
  required: ['status', 'checks'],
  properties: {
    status: { type: 'string', enum: ['ready', 'not_ready'] },
    checks: {
      type: 'object',
      additionalProperties: { type: 'object', required: ['ok'], properties: { ok: { type: 'boolean' }, detail: { type: 'string' } } },
    },
  },
};

/** The routes that the platform adds outside of Nest, where Nest's explorer does not find them. */
export const OPERATIONS_PATHS: OpenAPIObject['paths'] = {
  '/healthz': {
    get: {
      operationId: 'getHealth',
      summary: 'Whether the process answers',
      tags: ['operations'],
      security: [],
      responses: { 200: { description: 'It does.', content: { 'application/json': { schema: { type: 'object', required: ['status'], properties: { status: { type: 'string', enum: ['ok'] } } } } } } },
    },
  },
  '/readyz': {
    get: {
      operationId: 'getReadiness',
      summary: 'Whether the service can serve, and if not, why',
      tags: ['operations'],
      security: [],
      responses: {
        200: { description: 'Ready.', content: { 'application/json': { schema: CHECKS } } },
        503: { description: 'Not ready.', content: { 'application/json': { schema: CHECKS } } },
      },
    },
  },
  '/metrics': {
    get: {
      operationId: 'getMetrics',
      summary: 'Metrics in the Prometheus text format',
      tags: ['operations'],
      security: [],
      responses: { 200: { description: 'Metrics.', content: { 'text/plain': { schema: { type: 'string' } } } } },
    },
  },
};
