import { createServer, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { COUNT } from './methods.js';

/** A process of its own: the least that node:http2 needs for a gRPC call that is answered with the given bytes. No check of anything. Prints its port. */
const message = Buffer.from(process.argv[2] ?? '', 'base64');
const HEAD = [':status', '200', 'content-type', 'application/grpc'] as const;
const WITH_TRAILERS = { waitForTrailers: true, sendDate: false } as const;
let answered = 0;

function sendTrailers(this: ServerHttp2Stream): void {
  this.sendTrailers({ 'grpc-status': '0' });
}

function framed(bytes: Buffer): Buffer {
  const frame = Buffer.concat([Buffer.alloc(5), bytes]);
  frame.writeUInt32BE(bytes.length, 1);
  return frame;
}

function counted(): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(answered);
  return bytes;
}

const server = createServer();
server.on('stream', (stream, headers) => {
  const isCount = headers[':path'] === COUNT;
  stream.on('error', () => undefined);
  stream.on('data', () => undefined);
  stream.on('end', () => {
    if (!isCount) answered += 1;
    stream.respond(HEAD, WITH_TRAILERS);
    stream.end(framed(isCount ? counted() : message));
  });
  stream.on('wantTrailers', sendTrailers);
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
// It ends with the benchmark, however that ends.
process.stdin.on('end', () => process.exit()).resume();
