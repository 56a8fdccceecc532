import { connect } from 'node:http2';

/** One gRPC call by hand. @param message without its frame @returns the answer's message; throws for another status than OK */
export function askOnce(port: number, path: string, message: Buffer): Promise<Buffer> {
  const session = connect(`http://127.0.0.1:${port}`);
  return new Promise<Buffer>((resolve, reject) => {
    session.on('error', reject);
    const stream = session.request({ ':method': 'POST', ':path': path, 'content-type': 'application/grpc', te: 'trailers' });
    const chunks: Buffer[] = [];
    let status: unknown;
    stream.on('response', (head) => (status = head['grpc-status']));
    stream.on('trailers', (trailers) => (status = trailers['grpc-status']));
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('error', reject);
    stream.on('close', () => (status === '0' ? resolve(Buffer.concat(chunks).subarray(5)) : reject(new Error(`${path} was answered with status ${String(status)}`))));
    stream.end(framed(message));
  }).finally(() => session.close());
}

/** A message as it is sent. */
export function framed(message: Buffer): Buffer {
  const frame = Buffer.concat([Buffer.alloc(5), message]);
  frame.writeUInt32BE(message.length, 1);
  return frame;
}
