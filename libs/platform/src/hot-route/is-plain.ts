import type { IncomingMessage } from 'node:http';

const DIGITS = /^[1-9]\d{0,8}$/;

/**
 * Whether a request to a path is a plain HTTP/1.1 POST of JSON: one Host, a length within the limit, nothing that has to be negotiated, and a
 * connection that goes on. What node joins or drops when a field is there twice is as Fastify would see it, but for Host.
 */
export function isPlain(request: IncomingMessage, bodyLimit: number): boolean {
  const { headers, rawHeaders } = request;
  if (request.method !== 'POST' || request.httpVersionMajor !== 1 || request.httpVersionMinor !== 1) return false;
  if (headers['content-type'] !== 'application/json') return false;
  const length = headers['content-length'];
  if (length === undefined || !DIGITS.test(length) || Number(length) > bodyLimit) return false;
  if (headers['transfer-encoding'] !== undefined || headers['content-encoding'] !== undefined || headers.expect !== undefined || headers.upgrade !== undefined) return false;
  const { connection } = headers;
  return (connection === undefined || connection === 'keep-alive') && hasOneHost(rawHeaders);
}

/** `rawHeaders` has names and values in turn. */
function hasOneHost(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts === 1;
}
