import type { OpenAPIObject } from '@nestjs/swagger';
import { OPERATIONS_PATHS } from '@sluice/platform';
import { CALLER_PATHS } from './caller-paths.js';
import { CHECK_PATHS } from './check-paths.js';
import { SCHEMAS } from './schemas.js';

/** The OpenAPI document of the decision service (R63). Its routes are raw, so that it is written here and tests hold every answer against it. */
export const DECISION_DOCUMENT: OpenAPIObject = {
  openapi: '3.1.0',
  info: {
    title: 'Sluice decision',
    description:
      'The data plane of Sluice over HTTP: decisions, reservations and their settlement, a caller\'s own limits, forward-auth.\n\nServices show a bearer token or a client certificate, come from a network that is let in, or over the Unix socket; where nothing is set, only callers on the same machine may ask. Errors are `application/problem+json`.',
    version: '1',
    license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
  },
  servers: [{ url: '/', description: 'This server' }],
  tags: [
    { name: 'decisions', description: 'May this request pass, and what is left.' },
    { name: 'limits', description: 'What callers may know of their limits.' },
    { name: 'forward-auth', description: 'What proxies ask before they pass a request on.' },
    { name: 'operations', description: 'Probes and metrics; open.' },
  ],
  paths: { ...CHECK_PATHS, ...CALLER_PATHS, ...OPERATIONS_PATHS },
  components: {
    schemas: SCHEMAS,
    securitySchemes: {
      token: { type: 'http', scheme: 'bearer', description: 'A token of `SLUICE_DECISION_TOKEN`.' },
      apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key', description: 'The caller\'s own API key.' },
    },
  },
};
