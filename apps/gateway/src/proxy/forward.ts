import type { FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Dispatcher } from 'undici';
import { ClientGone } from './client-gone.js';
import { wantBody } from './expect-continue.js';
import { limitAnswer } from './late-answer.js';
import { isTransferCoded, UnknownCoding } from './transfer-coding.js';
import type { Upstream } from './upstream.js';

export interface ForwardOptions {
  readonly upstream: Upstream;
  /** Fields of the request to the upstream. */
  readonly headersOf: (request: FastifyRequest) => IncomingHttpHeaders;
  /** Fields of its answer that the client gets, beside those that the reply has. */
  readonly answerHeadersOf: (request: FastifyRequest, answer: IncomingHttpHeaders) => IncomingHttpHeaders;
  /** Until the final answer, once an interim one has come. */
  readonly timeoutMs: number;
  /** No answer came: the reply is still to be made. `reached`: something was sent to the upstream. */
  readonly failed: (request: FastifyRequest, reply: FastifyReply, error: Error, reached: boolean) => void;
  readonly isClosing: () => boolean;
}

/**
 * The last `onRequest` hook: sends the request on and passes the answer back, byte by byte as each side takes them. Nothing of a body is
 * kept, and none is read before the upstream takes it.
 */
export function forward(options: ForwardOptions) {
  const { upstream, headersOf } = options;

  return (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    // A method that has no route.
    if (request.is404) return done();
    const { raw, method, url } = request;
    const relay = new Relay(options, request, reply);
    upstream.send({ method, target: url, headers: headersOf(request), body: hasBody(raw) ? raw : null, isOver: () => relay.isOver }, relay);
  };
}

/** GET and HEAD have none that means anything (RFC 9110, section 9.3.1). */
function hasBody({ method, headers }: IncomingMessage): boolean {
  if (method === 'GET' || method === 'HEAD') return false;
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] !== undefined && headers['content-length'] !== '0');
}

/** Takes the upstream's answer to the client. */
class Relay implements Dispatcher.DispatchHandler {
  private readonly response: ServerResponse;
  private reached = false;
  private started = false;
  private ended = false;
  private stopLimit: (() => void) | undefined;

  constructor(
    private readonly options: ForwardOptions,
    private readonly request: FastifyRequest,
    private readonly reply: FastifyReply,
  ) {
    this.response = reply.raw;
  }

  /** Whether nothing more is to come. */
  get isOver(): boolean {
    return this.ended;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    const { response } = this;
    if (response.destroyed) return controller.abort(new ClientGone());
    this.reached = true;
    wantBody(this.request.raw, response);
    response.once('close', () => {
      if (!this.ended) controller.abort(new ClientGone());
    });
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, answer: IncomingHttpHeaders): void {
    // 1xx are between the upstream and us.
    const { request, reply, response, options } = this;
    if (status < 200) {
      this.stopLimit ??= limitAnswer(request.raw, options.timeoutMs, (fault) => controller.abort(fault));
      return;
    }
    this.stopLimit?.();
    if (isTransferCoded(answer['transfer-encoding'])) return controller.abort(new UnknownCoding());
    this.started = true;
    reply.hijack();
    const own = reply.getHeaders() as OutgoingHttpHeaders;
    const { vary } = own;
    const headers = Object.assign(own, options.answerHeadersOf(request, answer));
    // A cache has to know of both.
    if (vary !== undefined && vary !== headers.vary) headers.vary = `${String(headers.vary)}, ${String(vary)}`;
    // A connection whose request was not read to its end cannot be used again; nor one that a stop waits for (R44).
    if (options.isClosing() || !request.raw.complete) headers['connection'] = 'close';
    if (status === 204) delete headers['content-length'];
    response.on('drain', () => controller.resume());
    response.writeHead(status, headers);
    // It ends with its head, whatever length it names; undici takes a length as a body that is missing.
    if (status === 204 || status === 304) this.onResponseEnd();
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.response.write(chunk)) controller.pause();
  }

  onResponseEnd(): void {
    if (this.ended) return;
    this.ended = true;
    this.response.end();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.ended) return;
    this.ended = true;
    this.stopLimit?.();
    const { request, reply, response, options } = this;
    if (!this.started) return options.failed(request, reply, error, this.reached);
    // The client has to see that this is not the whole.
    response.destroy();
    if (!(error instanceof ClientGone)) request.log.warn({ err: error }, 'the upstream broke off its answer');
  }
}
