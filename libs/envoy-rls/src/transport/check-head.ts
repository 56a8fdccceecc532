import type { IncomingHttpHeaders } from 'node:http2';
import { GRPC_STATUS, type GrpcFault } from './grpc-fault.js';

const CONTENT_TYPE = /^application\/grpc(\+[^;]+)?(;.*)?$/i;

/** What is wrong with the head of a request, in gRPC's words or in HTTP's. */
export type HeadFault = { readonly kind: 'http'; readonly status: number; readonly fields: readonly string[] } | { readonly kind: 'grpc'; readonly fault: GrpcFault; readonly fields: readonly string[] };

/** Looks at method, content type and encoding (gRPC over HTTP/2, "Requests"). */
export function checkHead(headers: IncomingHttpHeaders): HeadFault | undefined {
  if (headers[':method'] !== 'POST') return { kind: 'http', status: 405, fields: ['allow', 'POST'] };
  const type = headers['content-type'];
  if (type !== 'application/grpc') {
    const match = CONTENT_TYPE.exec(type ?? '');
    if (match === null) return { kind: 'http', status: 415, fields: ['accept', 'application/grpc'] };
    if (match[1] !== undefined && match[1].toLowerCase() !== '+proto') return inGrpc(`messages come as protobuf here, not as ${match[1].slice(1)}`);
  }
  const encoding = headers['grpc-encoding'];
  if (encoding !== undefined && encoding !== 'identity') return inGrpc('messages come without compression here', ['grpc-accept-encoding', 'identity']);
  return undefined;
}

function inGrpc(message: string, fields: readonly string[] = []): HeadFault {
  return { kind: 'grpc', fault: { code: GRPC_STATUS.unimplemented, message }, fields };
}
