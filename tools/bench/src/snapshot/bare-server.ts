import { fastify } from 'fastify';

/** A process of its own: one Fastify route that answers 304 with the header fields that it is given, and nothing else. Prints its port. */
const headers = JSON.parse(process.argv[2] ?? '{}') as Record<string, string>;
const app = fastify();
app.get('/v1/snapshot', (_request, reply) => {
  reply.code(304).headers(headers).send();
});
const url = await app.listen({ port: 0, host: '127.0.0.1' });
process.stdout.write(`${new URL(url).port}\n`);
// It ends with the benchmark, however that ends.
process.stdin.on('end', () => process.exit()).resume();
