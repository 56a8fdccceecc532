import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { type Dispatcher, Pool } from 'undici';
import { type AwaitedRequest, upstreamConnections } from './upstream-connections.js';

export interface UpstreamOptions {
  readonly url: string;
  /** Until an answer begins. */
  readonly timeoutMs: number;
  /** Until more of an answer that began. */
  readonly stallTimeoutMs: number;
}

/** A request as it goes to the upstream. */
export interface SentRequest {
  readonly method: string;
  /** Path and query as the client sent them. */
  readonly target: string;
  /** Without what belongs to a connection, and without Host: that is the upstream's own name. */
  readonly headers: IncomingHttpHeaders;
  readonly body: IncomingMessage | null;
  /** Whether nobody waits for the answer any more. */
  readonly isOver: () => boolean;
}

const MAX_CONNECT_MS = 5_000;

/** The service behind the gateway: connections that are kept and reused, one request at a time on each, and no request sent twice. */
export class Upstream {
  private readonly pool: Pool;
  /** Of the URL, before every path. */
  private readonly prefix: string;

  constructor({ url, timeoutMs, stallTimeoutMs }: UpstreamOptions) {
    const { origin, pathname } = new URL(url);
    this.prefix = pathname.replace(/\/$/, '');
    // As many connections as requests at once: those that wait for one would wait without a limit of time.
    this.pool = new Pool(origin, { connections: null, pipelining: 1, factory: upstreamConnections(Math.min(timeoutMs, MAX_CONNECT_MS)), headersTimeout: timeoutMs, bodyTimeout: stallTimeoutMs });
  }

  /** Path and query at the upstream. Dot segments are resolved, as they are in the attribute `endpoint`, so that nothing goes elsewhere than it was counted for. */
  pathOf(target: string): string {
    if (!/\/(?:\.|%2e)/i.test(target)) return this.prefix + target;
    const { pathname, search } = new URL(target, 'http://upstream');
    return this.prefix + pathname + search;
  }

  send({ method, target, headers, body, isOver }: SentRequest, handler: Dispatcher.DispatchHandler): void {
    const request: AwaitedRequest = { method: method as Dispatcher.HttpMethod, path: this.pathOf(target), headers, body, isOver };
    this.pool.dispatch(request, handler);
  }

  /** Cuts all connections. */
  close(): Promise<void> {
    return this.pool.destroy();
  }
}
