import type { ServerHttp2Stream } from 'node:http2';
import type { CallContext, UnaryHandler } from './call.js';
import type { CallSettings } from './call-settings.js';
import { FRAME_BYTES, sealFrame } from './frame.js';
import { GRPC_STATUS, type GrpcFault } from './grpc-fault.js';
import { MessageReader } from './message-reader.js';
import { ANSWER_HEAD, sendFault } from './send-fault.js';

const WITH_TRAILERS = { waitForTrailers: true, sendDate: false } as const;
const OK_TRAILERS = { 'grpc-status': '0' } as const;
/** Longer ones fit into no timer; nobody waits so long. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** What a call needs beside its stream. */
export interface UnaryParts {
  readonly handle: UnaryHandler;
  readonly context: CallContext;
  readonly settings: CallSettings;
  /** `grpc-timeout`; undefined: the caller waits as long as it takes. */
  readonly timeoutMs: number | undefined;
  /** The request is whole, or has been given up. */
  readonly onRequestEnded: (call: UnaryCall) => void;
}

/**
 * One call of one message. It is decided when the request has ended, so that neither a second message nor a caller who went away in the midst of it is
 * charged. One listener of each kind on the stream, and no promise unless the handler makes one.
 */
export class UnaryCall {
  readonly startedMs = performance.now();
  private message: Buffer | undefined;
  private reader: MessageReader | undefined;
  private isAnswered = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly stream: ServerHttp2Stream,
    private readonly parts: UnaryParts,
  ) {
    stream.on('data', (chunk: Buffer) => this.take(chunk));
    stream.on('end', () => this.requestEnded());
    stream.on('aborted', () => this.aborted());
    stream.on('wantTrailers', sendOkTrailers);
  }

  /** Answers without asking the handler, or although it has not answered. */
  fail(fault: GrpcFault): void {
    if (this.isAnswered) return;
    this.parts.onRequestEnded(this);
    this.settle(fault.code);
    sendFault(this.stream, fault);
  }

  private take(chunk: Buffer): void {
    if (this.isAnswered) return;
    const { maxMessageBytes } = this.parts.settings;
    // Nearly always a request is one frame of DATA that holds one message.
    if (this.reader === undefined && this.message === undefined && isOneMessage(chunk, maxMessageBytes)) {
      this.message = chunk.subarray(FRAME_BYTES);
      return;
    }
    this.reader ??= new MessageReader(maxMessageBytes);
    const fault = this.reader.push(chunk, this.keep);
    if (fault !== undefined) this.fail(fault);
  }

  private readonly keep = (message: Buffer): void => {
    if (this.message === undefined) this.message = message;
    else this.fail({ code: GRPC_STATUS.unimplemented, message: 'more than one message in a call of one' });
  };

  private requestEnded(): void {
    if (this.isAnswered) return;
    const { message } = this;
    this.parts.onRequestEnded(this);
    if (message === undefined) return this.fail({ code: GRPC_STATUS.internal, message: this.reader?.isInside === true ? 'the message is cut off' : 'no message' });
    const leftMs = this.leftMs();
    if (leftMs <= 0) return this.fail(TOO_LATE);
    this.decide(message, leftMs);
  }

  /** Reset by the caller, or its connection is gone. What is reset may end as well, afterwards. */
  private aborted(): void {
    if (this.isAnswered) return;
    this.parts.onRequestEnded(this);
    this.settle(GRPC_STATUS.cancelled);
  }

  private decide(message: Buffer, leftMs: number): void {
    const { handle, context } = this.parts;
    try {
      const answer = handle(message, context);
      if ('then' in answer) this.wait(answer, leftMs);
      else this.answer(answer);
    } catch (error) {
      this.threw(error);
    }
  }

  private wait(answer: Promise<Buffer | GrpcFault>, leftMs: number): void {
    if (leftMs < LONGEST_TIMER_MS) this.timer = setTimeout(() => this.fail(TOO_LATE), leftMs);
    answer.then((ready) => this.answer(ready)).catch((error: unknown) => this.threw(error));
  }

  private answer(answer: Buffer | GrpcFault): void {
    if (this.isAnswered) return;
    if (!Buffer.isBuffer(answer)) return this.fail(answer);
    const { stream } = this;
    this.settle(GRPC_STATUS.ok);
    stream.respond(ANSWER_HEAD, WITH_TRAILERS);
    stream.end(sealFrame(answer));
  }

  private threw(error: unknown): void {
    this.parts.settings.onError(error, this.parts.context.path);
    this.fail({ code: GRPC_STATUS.internal, message: 'internal error' });
  }

  /** From here on nothing is sent but what whoever calls this sends. */
  private settle(code: number): void {
    if (this.isAnswered) return;
    this.isAnswered = true;
    if (this.timer !== undefined) clearTimeout(this.timer);
    this.parts.settings.onCall({ method: this.parts.context.path, code, seconds: (performance.now() - this.startedMs) / 1_000 });
  }

  private leftMs(): number {
    const { timeoutMs } = this.parts;
    return timeoutMs === undefined ? Number.POSITIVE_INFINITY : timeoutMs - (performance.now() - this.startedMs);
  }
}

function isOneMessage(chunk: Buffer, maxMessageBytes: number): boolean {
  const length = chunk.length - FRAME_BYTES;
  return length >= 0 && length <= maxMessageBytes && chunk[0] === 0 && chunk.readUInt32BE(1) === length;
}

const TOO_LATE: GrpcFault = { code: GRPC_STATUS.deadlineExceeded, message: 'the time that grpc-timeout gives is over' };

/** One function for all streams. */
function sendOkTrailers(this: ServerHttp2Stream): void {
  this.sendTrailers(OK_TRAILERS);
}
