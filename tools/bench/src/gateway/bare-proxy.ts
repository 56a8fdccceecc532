import httpProxy from '@fastify/http-proxy';
import { fastify } from 'fastify';

/** A process of its own: the proxy library that the gateway has, with the options that it has there, and nothing else. Prints its port. */
const [upstream = ''] = process.argv.slice(2);
const app = fastify({ requestTimeout: 300_000 });
await app.register(httpProxy, {
  upstream,
  httpMethods: ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'],
  disableRequestLogging: true,
  destroyAgent: true,
  undici: { headersTimeout: 30_000, bodyTimeout: 300_000 },
  replyOptions: { retryDelay: () => null },
});
const url = await app.listen({ port: 0, host: '127.0.0.1' });
process.stdout.write(`${new URL(url).port}\n`);
// It ends with the benchmark, however that ends.
process.stdin.on('end', () => process.exit()).resume();
