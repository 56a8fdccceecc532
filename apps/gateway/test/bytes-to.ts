import { connect } from 'node:net';

/** The whole answer to bytes that a proper client would not send, once the server has closed the connection. */
export function bytesTo(url: string, request: string, encoding: 'utf8' | 'latin1' = 'utf8'): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => socket.write(request, encoding));
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString(encoding)));
    socket.on('error', () => undefined).on('close', () => resolve(text));
  });
}
