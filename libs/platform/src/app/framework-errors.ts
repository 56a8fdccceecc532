import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Socket } from 'node:net';
import { problem } from '../problem/problem.js';
import { PROBLEM_MEDIA_TYPE, sendProblem } from '../problem/send-problem.js';
import { toProblem } from '../problem/to-problem.js';
import { isLeftOverTlsError } from './is-left-over-tls-error.js';

/** Errors before there is a route (a path that does not decode, a parameter too long) never reach an error handler. */
export function answerFrameworkError(error: FastifyError, _request: FastifyRequest, reply: FastifyReply): void {
  sendProblem(reply, toProblem(error).problem);
}

const STATUS_BY_CODE: Readonly<Record<string, readonly [number, string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout'],
};

/** Bytes that are no HTTP at all: there is no request and no reply, only the socket. */
export function answerClientError(error: Error & { readonly code?: string }, socket: Socket): void {
  if (isLeftOverTlsError(error, socket)) return;
  // After a reset there is nobody to answer.
  if (error.code === 'ECONNRESET' || !socket.writable || socket.destroyed) {
    socket.destroy();
    return;
  }
  const [status, reason] = STATUS_BY_CODE[error.code ?? ''] ?? [400, 'Bad Request'];
  const body = JSON.stringify(problem(status));
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\nContent-Type: ${PROBLEM_MEDIA_TYPE}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    // A client that does not end its side would keep the connection.
    () => socket.destroy(),
  );
}
