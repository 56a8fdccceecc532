import type { FastifyReply, FastifyRequest } from 'fastify';
import { matchesWeakly, parseEntityTags, strongTag } from './entity-tag.js';

/** Whether the caller holds this very state already (`If-None-Match`, weak comparison). */
export function isHeldByCaller(request: FastifyRequest, opaque: string): boolean {
  const field = request.headers['if-none-match'];
  const tags = field === undefined ? undefined : parseEntityTags(field);
  return tags !== undefined && matchesWeakly(tags, opaque);
}

/** The header fields of a state, on 200 and 304 alike (RFC 9110 section 15.4.5). Caches may keep it for the caller and must ask each time. */
function stateHeaders(opaque: string): Record<string, string> {
  return { etag: strongTag(opaque), 'cache-control': 'private, no-cache', vary: 'authorization' };
}

/** 304 without a body. */
export function sendNotModified(reply: FastifyReply, opaque: string, headers: Readonly<Record<string, string>> = {}): void {
  reply
    .code(304)
    .headers({ ...stateHeaders(opaque), ...headers })
    .send();
}

/** 200 with the state and its tag. */
export function sendState(reply: FastifyReply, opaque: string, body: object | Buffer, headers: Readonly<Record<string, string>> = {}): void {
  reply
    .code(200)
    .headers({ ...stateHeaders(opaque), ...headers })
    .type('application/json')
    .send(body);
}
