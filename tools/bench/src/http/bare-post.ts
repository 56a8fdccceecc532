import { fastify } from 'fastify';

/** A process of its own: one Fastify route that reads a JSON body and answers with the header fields and the text that it is given. Prints its port. */
const [path = '/', fields = '{}', text = ''] = process.argv.slice(2);
const headers = JSON.parse(fields) as Record<string, string>;
const app = fastify();
app.post(path.replaceAll(':', '::'), (_request, reply) => reply.headers(headers).send(text));
const url = await app.listen({ port: 0, host: '127.0.0.1' });
process.stdout.write(`${new URL(url).port}\n`);
// It ends with the benchmark, however that ends.
process.stdin.on('end', () => process.exit()).resume();
