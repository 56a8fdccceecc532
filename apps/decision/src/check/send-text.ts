import { REQUEST_ID_HEADER } from '@sluice/platform';
import type { FastifyReply } from 'fastify';

/**
 * Answers 200 with JSON by node itself, past Fastify's reply, which keeps the fields in an object of its own, goes through the hooks of what is
 * sent and writes them then: a sixth of the time of a check. What those hooks do is done here: the request's id, and the end of the connection
 * while the service stops. Whoever measures and logs answers still hears of it.
 */
export function sendText(reply: FastifyReply, text: string, fields: Readonly<Record<string, string>>, stopping: boolean): void {
  const head: (string | number)[] = ['content-type', 'application/json; charset=utf-8', REQUEST_ID_HEADER, reply.request.id, 'content-length', Buffer.byteLength(text), 'cache-control', 'no-store'];
  for (const name in fields) {
    const value = fields[name];
    // It is there always, and fields of a refusal have it too.
    if (value !== undefined && name !== 'Cache-Control') head.push(name, value);
  }
  if (stopping) head.push('connection', 'close');
  reply.hijack();
  reply.raw.writeHead(200, head);
  reply.raw.end(text);
}
