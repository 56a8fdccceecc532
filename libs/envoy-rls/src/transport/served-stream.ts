import { constants, type ServerHttp2Stream } from 'node:http2';
import type { CallContext, StreamingCall, StreamingHandler } from './call.js';
import type { Budget } from './budget.js';
import type { CallSettings } from './call-settings.js';
import { sealFrame } from './frame.js';
import { GRPC_STATUS, type GrpcFault } from './grpc-fault.js';
import { encodeGrpcMessage } from './grpc-message.js';
import { MessageReader } from './message-reader.js';
import { ANSWER_HEAD, dropRest, sendFault } from './send-fault.js';

const WITH_TRAILERS = { waitForTrailers: true, sendDate: false } as const;
/** Answers that wait for a caller who does not read; beyond them the call ends. */
const MOST_UNREAD_BYTES = 1_048_576;

export interface ServedParts {
  readonly open: (call: StreamingCall) => StreamingHandler;
  readonly context: CallContext;
  readonly settings: CallSettings;
  /** Bytes that may be held of requests that are not whole. */
  readonly budget: Budget;
  readonly onClosed: (call: ServedStream) => void;
}

/** One call of many messages: health and reflection. Nothing here is hot. */
export class ServedStream implements StreamingCall {
  readonly context: CallContext;
  private readonly startedMs = performance.now();
  private readonly reader: MessageReader;
  private readonly handler: StreamingHandler;
  private outcome: GrpcFault | undefined;
  private isEnded = false;
  private endedMs = Number.POSITIVE_INFINITY;

  constructor(
    private readonly stream: ServerHttp2Stream,
    private readonly parts: ServedParts,
  ) {
    this.context = parts.context;
    this.reader = new MessageReader(parts.settings.maxMessageBytes, parts.budget);
    this.handler = parts.open(this);
    stream.on('data', (chunk: Buffer) => this.take(chunk));
    stream.on('end', () => this.halfClosed());
    stream.on('wantTrailers', () => this.sendTrailers());
    stream.once('close', () => this.closed());
  }

  send(message: Buffer): void {
    if (this.isEnded || this.isGone) return;
    if (!this.stream.headersSent) this.stream.respond(ANSWER_HEAD, WITH_TRAILERS);
    this.stream.write(sealFrame(message));
    if (this.stream.writableLength > MOST_UNREAD_BYTES) this.giveUp();
  }

  end(fault?: GrpcFault): void {
    if (this.isEnded) return;
    this.isEnded = true;
    this.endedMs = performance.now();
    this.outcome = fault;
    if (this.isGone) return;
    if (fault !== undefined && !this.stream.headersSent) return sendFault(this.stream, fault);
    if (!this.stream.headersSent) this.stream.respond(ANSWER_HEAD, WITH_TRAILERS);
    this.stream.end();
  }

  /** Resets a call whose end nobody has read for so long. */
  endUnread(lateMs: number): void {
    if (performance.now() - this.endedMs > lateMs && !this.isGone) this.stream.close(constants.NGHTTP2_CANCEL);
  }

  /** No status would be read either. */
  private giveUp(): void {
    this.outcome = { code: GRPC_STATUS.resourceExhausted, message: 'answers are not read' };
    this.isEnded = true;
    this.stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM);
  }

  private get isGone(): boolean {
    return this.stream.closed || this.stream.destroyed;
  }

  private take(chunk: Buffer): void {
    if (this.isEnded) return;
    this.guarded(() => {
      const fault = this.reader.push(chunk, (message) => {
        if (!this.isEnded) this.handler.message(message);
      });
      this.reader.release();
      if (fault !== undefined) this.end(fault);
    });
  }

  private halfClosed(): void {
    if (this.isEnded || this.stream.aborted) return;
    if (this.reader.isInside) this.end({ code: GRPC_STATUS.internal, message: 'the message is cut off' });
    else this.guarded(() => this.handler.halfClosed());
  }

  private guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.parts.settings.onError(error, this.context.path);
      this.end({ code: GRPC_STATUS.internal, message: 'internal error' });
    }
  }

  private sendTrailers(): void {
    const { outcome } = this;
    this.stream.sendTrailers({ 'grpc-status': String(outcome?.code ?? GRPC_STATUS.ok), ...(outcome !== undefined && { 'grpc-message': encodeGrpcMessage(outcome.message) }) });
    // A caller who goes on would keep the stream, and with it a stop (RFC 9113, section 8.1).
    dropRest(this.stream);
  }

  private closed(): void {
    const code = this.isEnded ? (this.outcome?.code ?? GRPC_STATUS.ok) : GRPC_STATUS.cancelled;
    this.isEnded = true;
    this.reader.end();
    this.parts.settings.onCall({ method: this.context.path, code, seconds: (performance.now() - this.startedMs) / 1_000 });
    this.parts.onClosed(this);
    this.handler.closed();
  }
}
