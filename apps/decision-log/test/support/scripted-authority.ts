import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What it says of a token. */
export interface Self {
  readonly actor: string;
  readonly role: string;
  readonly tenant_id: string | null;
  readonly expires_at: string | null;
}

type Answering = (token: string, response: ServerResponse, request: IncomingMessage) => void;

/** Who speaks for the control plane where a test needs answers that a real one does not give on demand. The tests of both together are in `apps/e2e`. */
export interface ScriptedAuthority {
  readonly url: string;
  /** Tokens that it was asked about, in order. */
  readonly asked: readonly string[];
  /** From now on it answers so. */
  answer(how: Answering): void;
  /** From now on it answers so to all that is not about tokens, of which nothing is there at first. */
  answerElse(how: (request: IncomingMessage, response: ServerResponse) => void): void;
  close(): Promise<void>;
}

/** Answers by a table of tokens, until it is told otherwise; a token that is not in it is unknown. */
export async function startAuthority(tokens: Readonly<Record<string, Partial<Self> & Pick<Self, 'role'>>>): Promise<ScriptedAuthority> {
  const asked: string[] = [];
  let how: Answering = (token, response) => {
    const self = tokens[token];
    if (self === undefined) return void response.writeHead(401).end();
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ actor: `token:${token}`, tenant_id: null, expires_at: null, ...self }));
  };
  let otherwise = (_request: IncomingMessage, response: ServerResponse): void => void response.writeHead(404).end();
  const server = createServer((request, response) => {
    const token = (request.headers.authorization ?? '').replace('Bearer ', '');
    if (request.url !== '/v1/tokens:self') return otherwise(request, response);
    asked.push(token);
    how(token, response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    answer: (next) => {
      how = next;
    },
    answerElse: (next) => {
      otherwise = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
