import type { IncomingHttpHeaders } from 'node:http';
import type { Decision } from '@sluice/limiter';
import type { Peered } from './peer-address.js';
import type { PathReading } from './routed-path.js';

/** What is read of a request of node:http or node:http2. */
export interface RawRequest {
  readonly method?: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly socket: object & Pick<Peered, 'remoteAddress' | 'destroyed' | 'server'>;
}

/** What is read of an answer of node:http or node:http2. */
export interface RawResponse {
  readonly statusCode: number;
  readonly headersSent: boolean;
  /** The client hung up. */
  readonly destroyed?: boolean | undefined;
  on(event: 'finish' | 'close', listener: () => void): unknown;
  removeListener(event: 'finish' | 'close', listener: () => void): unknown;
}

/** All that a skin knows of its framework: `R` is its request, `A` its answer. */
export interface SkinAdapter<R, A> {
  raw(request: R): RawRequest;
  response(answer: A): RawResponse;
  /**
   * Attribute `endpoint`: method and route template by `routeTemplate` where a route is known, else method and path by `routedPath`,
   * whole, whatever routers have cut off. What reaches one handler has to come under one rule, however it is spelled.
   */
  endpoint(request: R, reading: PathReading): string;
  setHeaders(answer: A, headers: Readonly<Record<string, string>>): void;
  /** Answers a refusal; the fields are set already. `next` is for an own handler that wants to go on, or fails. */
  refuse(request: R, answer: A, decision: Decision, next: Next): void;
  /** Whether the framework believes X-Forwarded-For of anybody; asked once, at the first request of a skin. */
  trustsEverybody(request: R): boolean;
}

/** Goes on with the request, or hands an error to the framework. */
export type Next = (error?: Error) => void;
