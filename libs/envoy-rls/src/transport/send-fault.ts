import { constants, type ServerHttp2Stream } from 'node:http2';
import { encodeGrpcMessage } from './grpc-message.js';
import type { GrpcFault } from './grpc-fault.js';

/** Head fields of every answer. */
export const ANSWER_HEAD: readonly string[] = [':status', '200', 'content-type', 'application/grpc'];
const ALL_AT_ONCE = { endStream: true, sendDate: false } as const;

/** Answers with a status alone ("Trailers-Only"), and wants nothing more of the request. */
export function sendFault(stream: ServerHttp2Stream, { code, message }: GrpcFault, more: readonly string[] = []): void {
  if (stream.destroyed || stream.closed) return;
  stream.respond([...ANSWER_HEAD, 'grpc-status', String(code), 'grpc-message', encodeGrpcMessage(message), ...more], ALL_AT_ONCE);
  dropRest(stream);
}

/** Answers who does not speak gRPC in HTTP's own words. */
export function sendHttpStatus(stream: ServerHttp2Stream, status: number, more: readonly string[] = []): void {
  if (stream.destroyed || stream.closed) return;
  stream.respond([':status', String(status), ...more], ALL_AT_ONCE);
  dropRest(stream);
}

/** A request that goes on after its answer is told to stop (RFC 9113, section 8.1). */
export function dropRest(stream: ServerHttp2Stream): void {
  if (stream.readableEnded) return;
  stream.resume();
  stream.close(constants.NGHTTP2_NO_ERROR);
}
