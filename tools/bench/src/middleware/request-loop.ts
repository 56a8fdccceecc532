import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { threadNs } from '../engine/measure.js';
import { KEY_HEADER } from './local-limiter.js';

/** What a server of node:http calls for each request. */
export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const KEYS = Array.from({ length: 1_000 }, (_, at) => `key_${at.toString(36).padStart(6, '0')}`);
const WARMED = 30_000;

/** As node:http hands it out, but of no connection. */
function requestOf(socket: Socket, at: number): IncomingMessage {
  const request = new IncomingMessage(socket);
  request.method = 'GET';
  request.url = '/v1/items/42';
  request.httpVersion = '1.1';
  request.httpVersionMajor = 1;
  request.httpVersionMinor = 1;
  request.headers = { host: 'localhost', accept: '*/*', [KEY_HEADER]: KEYS[at % KEYS.length] ?? '' };
  return request;
}

/** Calls the handler with `count` requests; the answer's head is built as for a socket, and kept nowhere. */
function answer(handler: Handler, socket: Socket, count: number): number {
  const startNs = threadNs();
  for (let at = 0; at < count; at += 1) {
    const request = requestOf(socket, at);
    const response = new ServerResponse(request);
    handler(request, response);
    if (!response.writableEnded || response.statusCode !== 204) throw new Error(`a request was not answered at once with 204, so this measures something else`);
  }
  return (threadNs() - startNs) / count;
}

/**
 * Nanoseconds of this thread for a request (a slice is long, since the kernel counts the time of a running thread in ticks of 4 ms), no socket in it, for each handler in each slice. They take turns, so that what else the machine does falls on all alike.
 *
 * @throws Error when a handler does not answer in the same tick
 */
export function requestLoop(handlers: readonly Handler[], slices: number, requestsASlice = 20_000): readonly (readonly number[])[] {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: '203.0.113.9' });
  for (let warmed = 0; warmed < WARMED; warmed += 1_000) for (const handler of handlers) answer(handler, socket, 1_000);
  const figures = handlers.map((): number[] => []);
  for (let slice = 0; slice < slices; slice += 1) handlers.forEach((handler, at) => figures[at]?.push(answer(handler, socket, requestsASlice)));
  return figures;
}
