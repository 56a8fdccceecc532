import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { invalidRequest } from './invalid-request.js';
import { ProblemException } from './problem-exception.js';

/**
 * Fastify's own JSON parser behind a strict look at the bytes: JSON is UTF-8 (RFC 8259, section 8.1), and decoding turns all broken bytes into
 * U+FFFD, so that different names would be one. Of names that an object has twice the last counts, as everywhere in JavaScript.
 */
export function parseJsonStrictly(fastify: FastifyInstance): void {
  const parse = fastify.getDefaultJsonParser('error', 'error');
  fastify.removeContentTypeParser('application/json');
  fastify.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (isUtf8(body)) void parse(request, body.toString('utf8'), done);
    else done(new ProblemException(invalidRequest([{ pointer: '', detail: 'must be UTF-8' }])));
  });
}
