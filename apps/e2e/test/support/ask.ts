import { type IncomingHttpHeaders, request } from 'node:http';

/** What one asks for. */
export interface Ask {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
}

/** An answer, read to its end. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The text as JSON. */
  json(): unknown;
}

/** One request on a connection of its own: a kept one may lead to a server that is no more. */
export function ask(url: string, { method = 'GET', headers = {}, body }: Ask = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = body === undefined ? undefined : JSON.stringify(body);
    const type = sent === undefined ? {} : { 'content-type': 'application/json' };
    const asked = request(url, { method, agent: false, headers: { ...type, ...headers }, timeout: 10_000 }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: () => JSON.parse(text) as unknown }));
    });
    asked.on('error', reject);
    asked.on('timeout', () => asked.destroy(new Error(`no answer from ${url} in 10 s`)));
    asked.end(sent);
  });
}
