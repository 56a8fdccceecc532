import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import type { Answered } from './exchange.js';
import { ServiceFault } from './service-fault.js';

/** An answer to one check has a few hundred bytes. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
/** What a connection says that the service had closed, or that it closes now. */
const CLOSED = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/** One question under way. */
export class Question implements Dispatcher.DispatchHandler {
  private readonly timer: NodeJS.Timeout;
  private controller: Dispatcher.DispatchController | undefined;
  private ended = false;
  private again = true;
  private status = 0;
  private contentType = '';
  private bytes = 0;
  private chunks: Buffer[] = [];

  constructor(
    private readonly pool: Dispatcher,
    private readonly request: Dispatcher.DispatchOptions,
    timeoutMs: number,
    private readonly end: (answer: Answered | ServiceFault) => void,
    /** Called once, when the pool holds nothing of it any more, which may be after its end. */
    private readonly left: () => void,
  ) {
    this.timer = setTimeout(() => this.giveUp(`no answer within ${timeoutMs} ms`), timeoutMs);
  }

  send(): void {
    this.pool.dispatch(this.request, this);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    // It waited for a connection for too long: it is not sent.
    if (this.ended) controller.abort(new Error('given up'));
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    this.status = status;
    this.contentType = String(headers['content-type'] ?? '');
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.bytes += chunk.length;
    if (this.bytes > MAX_ANSWER_BYTES) this.giveUp('the answer is too long');
    else this.chunks.push(chunk);
  }

  onResponseEnd(): void {
    const [only] = this.chunks;
    const text = this.chunks.length === 1 && only !== undefined ? only.toString() : Buffer.concat(this.chunks).toString();
    this.left();
    this.finish({ status: this.status, contentType: this.contentType, text });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: NodeJS.ErrnoException): void {
    if (this.ended) return this.left();
    const code = error.code ?? error.message;
    // A connection that was kept and that the service had closed. If it did take the question in, it is charged twice: the lesser evil.
    if (this.again && this.status === 0 && CLOSED.has(code)) {
      this.again = false;
      this.send();
    } else {
      this.left();
      this.finish(new ServiceFault(this.status === 0 ? code : 'the answer broke off'));
    }
  }

  private giveUp(reason: string): void {
    if (this.ended) return;
    this.finish(new ServiceFault(reason));
    this.controller?.abort(new Error(reason));
  }

  private finish(answer: Answered | ServiceFault): void {
    if (this.ended) return;
    this.ended = true;
    clearTimeout(this.timer);
    this.end(answer);
  }
}
