import { type MethodDefinition, Server, ServerCredentials, type handleUnaryCall } from '@grpc/grpc-js';
import { COUNT, SHOULD_RATE_LIMIT } from './methods.js';

/** A process of its own: the official library, one unary method that is answered with the given bytes, nothing decoded. Prints its port. */
const message = Buffer.from(process.argv[2] ?? '', 'base64');
let answered = 0;
const asItIs = (bytes: Buffer): Buffer => bytes;
const method = (path: string): MethodDefinition<Buffer, Buffer> => ({
  path,
  requestStream: false,
  responseStream: false,
  requestSerialize: asItIs,
  requestDeserialize: asItIs,
  responseSerialize: asItIs,
  responseDeserialize: asItIs,
});
const answer: handleUnaryCall<Buffer, Buffer> = (_call, done) => {
  answered += 1;
  done(null, message);
};
const count: handleUnaryCall<Buffer, Buffer> = (_call, done) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(answered);
  done(null, bytes);
};
const server = new Server();
server.addService({ answer: method(SHOULD_RATE_LIMIT), count: method(COUNT) }, { answer, count });
server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
  if (error !== null) throw error;
  process.stdout.write(`${port}\n`);
});
// It ends with the benchmark, however that ends.
process.stdin.on('end', () => process.exit()).resume();
