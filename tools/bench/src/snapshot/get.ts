import { request } from 'node:http';

/** An answer as it came over the wire. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: number;
  readonly tookMs: number;
}

/** One GET, nothing decoded. */
export function get(port: number, path: string, headers: Readonly<Record<string, string>>): Promise<WireAnswer> {
  const startMs = performance.now();
  return new Promise((resolve, reject) => {
    const sent = request({ port, host: '127.0.0.1', path, headers }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => (bytes += chunk.length));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: textOf(response.headers), bytes, tookMs: performance.now() - startMs }));
    });
    sent.on('error', reject);
    sent.end();
  });
}

function textOf(headers: NodeJS.Dict<string | string[]>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
