import { request } from 'node:http';

/** An answer to a POST, whole. */
export interface PostAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** One POST of JSON over a connection of its own. */
export function post(port: number, path: string, body: string): Promise<PostAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request({ port, host: '127.0.0.1', path, method: 'POST', agent: false, headers: { 'content-type': 'application/json', connection: 'keep-alive' } }, (response) => {
      const { socket } = response;
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => {
        const headers = Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, String(value)]));
        resolve({ status: response.statusCode ?? 0, headers, text });
        socket.destroy();
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** The bytes of such a POST on a kept-alive connection. */
export function postBytes(path: string, body: string): Buffer {
  return Buffer.from(`POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}
