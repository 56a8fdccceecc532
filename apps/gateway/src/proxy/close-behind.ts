import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Socket } from 'node:net';

/** Of a body that nobody wants so much is read, so that the connection can be used again. */
const SPARE_BYTES = 65_536;
/** Of one that is larger, or of no known size, so much and for so long, so that the client gets to read its answer before the connection is cut. */
const LINGER_BYTES = 1_048_576;
const LINGER_MS = 1_000;
const LOOK_MS = 50;

/**
 * Call it before an answer to a request whose body was not asked for. When that may be large the connection ends behind the answer, and what still comes
 * is read for a moment only (RFC 9112, section 9.6).
 */
export function closeBehindUnread({ raw }: FastifyRequest, reply: FastifyReply): void {
  const { headers, complete, socket } = raw;
  const length = headers['content-length'];
  if (complete || (length === undefined && headers['transfer-encoding'] === undefined)) return;
  // Who waits for 100 Continue may send it or not: node ends such a connection itself.
  if (headers.expect === undefined && length !== undefined && Number(length) <= SPARE_BYTES) return;
  reply.header('connection', 'close');
  // What node calls behind the last answer of a connection; its own destroys what the client has not read yet.
  socket.destroySoon = () => linger(socket);
}

function linger(socket: Socket): void {
  if (socket.destroyed) return;
  const cut = (): void => void socket.destroy();
  const most = socket.bytesRead + LINGER_BYTES;
  const timer = setTimeout(cut, LINGER_MS);
  const look = setInterval(() => socket.bytesRead > most && cut(), LOOK_MS);
  socket.once('close', () => {
    clearTimeout(timer);
    clearInterval(look);
  });
  socket.end();
}
