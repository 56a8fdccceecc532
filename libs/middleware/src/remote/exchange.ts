import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { serviceAddress } from './service-address.js';
import { ServiceFault } from './service-fault.js';

export interface Answered {
  readonly status: number;
  readonly text: string;
}

/** An answer to one check has a few hundred bytes. */
const MAX_ANSWER_CHARACTERS = 4 * 1024 * 1024;

/** One question to the service, on connections that are kept. Resolves always: what goes wrong is a value. */
export class Exchange {
  private readonly agent: http.Agent;
  private readonly request: typeof http.request;
  private readonly target: http.RequestOptions;
  private readonly basePath: string;

  constructor(url: string, token: string | undefined, maxConnections: number) {
    const { secure, target, basePath } = serviceAddress(url);
    const options = { keepAlive: true, maxSockets: maxConnections, maxFreeSockets: maxConnections, scheduling: 'lifo' } as const;
    this.agent = secure ? new https.Agent(options) : new http.Agent(options);
    this.request = secure ? https.request : http.request;
    this.target = { ...target, method: 'POST', agent: this.agent, headers: { ...target.headers, 'Content-Type': 'application/json', ...(token !== undefined && { Authorization: `Bearer ${token}` }) } };
    this.basePath = basePath;
  }

  post(path: string, body: string, timeoutMs: number): Promise<Answered | ServiceFault> {
    return new Promise((resolve) => {
      let request: ClientRequest | undefined;
      const end = (answer: Answered | ServiceFault): void => {
        clearTimeout(timer);
        resolve(answer);
      };
      const timer = setTimeout(() => {
        end(new ServiceFault(`no answer within ${timeoutMs} ms`));
        request?.destroy();
      }, timeoutMs);
      const send = (isFirst: boolean): void => {
        const sent = this.send(path, body, end, (error) => {
          // The service had closed a connection that was kept too long: it has not read the question.
          if (isFirst && sent.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE')) send(false);
          else end(new ServiceFault(error.code ?? error.message));
        });
        request = sent;
      };
      send(true);
    });
  }

  close(): void {
    this.agent.destroy();
  }

  private send(path: string, body: string, end: (answer: Answered | ServiceFault) => void, failed: (error: NodeJS.ErrnoException) => void): ClientRequest {
    const request = this.request({ ...this.target, path: this.basePath + path });
    request.on('response', (response) => read(response, end));
    request.on('error', failed);
    // With its length, as one piece: a body without one would be sent in chunks.
    request.setHeader('Content-Length', Buffer.byteLength(body));
    request.end(body);
    return request;
  }
}

function read(response: IncomingMessage, end: (answer: Answered | ServiceFault) => void): void {
  let text = '';
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => {
    text += chunk;
    if (text.length > MAX_ANSWER_CHARACTERS) response.destroy();
  });
  response.on('end', () => end({ status: response.statusCode ?? 0, text }));
  response.on('close', () => end(new ServiceFault('the answer broke off')));
  response.on('error', () => undefined);
}
