import type { ServerResponse } from 'node:http';
import { REQUEST_ID_HEADER } from '../logging/request-id.js';

/** JSON, and header fields beside those that every answer has. */
export interface TextAnswer {
  readonly text: string;
  readonly fields: Readonly<Record<string, string>>;
}

/**
 * Answers 200 with JSON by node itself, past Fastify's reply, which keeps the fields in an object of its own, goes through the hooks of what is
 * sent and writes them then. What the hooks of an app do to an answer is done here: the request's id, and the end of the connection while the
 * app stops. No cache may keep it.
 */
export function writeText(response: ServerResponse, requestId: string, { text, fields }: TextAnswer, stopping: boolean): void {
  const bytes = Buffer.byteLength(text);
  const head: (string | number)[] = ['content-type', 'application/json; charset=utf-8', REQUEST_ID_HEADER, requestId, 'content-length', bytes, 'cache-control', 'no-store'];
  for (const name in fields) {
    const value = fields[name];
    // It is there always, and fields of a refusal have it too.
    if (value !== undefined && name !== 'Cache-Control') head.push(name, value);
  }
  if (stopping) head.push('connection', 'close');
  response.writeHead(200, head);
  // The same bytes where all are ASCII, and less to look at.
  response.end(text, bytes === text.length ? 'latin1' : 'utf8');
}
