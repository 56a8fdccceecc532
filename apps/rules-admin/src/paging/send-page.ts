import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendNotModified, sendState } from '../conditional/send-validated.js';
import type { Page } from './page-reader.js';

/** `Link` to the next page (RFC 8288), relative to the request: the same query with another cursor. */
export function nextLink(request: FastifyRequest, cursor: string): string {
  const [path = '', query = ''] = request.url.split('?', 2);
  const parameters = new URLSearchParams(query);
  parameters.set('cursor', cursor);
  return `<${path}?${parameters.toString()}>; rel="next"`;
}

/** Answers with a page under the list's name: `{rules, next_cursor, version}`. */
export function sendPage<Row>(request: FastifyRequest, reply: FastifyReply, page: Page<Row>, name: string, toJson: (row: Row) => object): void {
  if (page.status === 'held') {
    sendNotModified(reply, page.tag);
    return;
  }
  const { rows, nextCursor, version, tag } = page;
  const link = nextCursor === null ? {} : { link: nextLink(request, nextCursor) };
  sendState(reply, tag, { [name]: rows.map(toJson), next_cursor: nextCursor, version }, link);
}
