import { Pool } from 'undici';
import { Question } from './question.js';
import { serviceAddress } from './service-address.js';
import type { ServiceFault } from './service-fault.js';

export interface Answered {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

/** Questions to the service, on connections that are kept. By undici, which takes half of the processor time of node:http's client (docs/adr/0025-skins.md). */
export class Exchange {
  private readonly pool: Pool;
  private readonly basePath: string;
  private readonly headers: Readonly<Record<string, string>>;
  private questions = 0;

  constructor(url: string, token: string | undefined, connections: number, timeoutMs: number) {
    const { origin, socketPath, basePath } = serviceAddress(url);
    // A question has a time limit of its own.
    this.pool = new Pool(origin, { connections, pipelining: 1, headersTimeout: 0, bodyTimeout: 0, connect: { timeout: timeoutMs, ...(socketPath !== undefined && { socketPath }) } });
    this.basePath = basePath;
    this.headers = { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) };
  }

  /** Questions that take up room: those that were given up while they waited for a connection as well, until they are dropped. */
  get held(): number {
    return this.questions;
  }

  /** Resolves always: what goes wrong is a value. */
  post(path: string, body: string, timeoutMs: number): Promise<Answered | ServiceFault> {
    this.questions += 1;
    return new Promise((resolve) => {
      new Question(this.pool, { path: this.basePath + path, method: 'POST', headers: this.headers, body }, timeoutMs, resolve, () => (this.questions -= 1)).send();
    });
  }

  close(): Promise<void> {
    return this.pool.destroy();
  }
}
