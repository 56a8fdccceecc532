import { constants, type ServerHttp2Stream } from 'node:http2';
import type { CallContext, UnaryHandler } from './call.js';
import type { Budget } from './budget.js';
import type { CallSettings } from './call-settings.js';
import { FRAME_BYTES, sealFrame } from './frame.js';
import { GRPC_STATUS, type GrpcFault } from './grpc-fault.js';
import type { ListedCall } from './call-list.js';
import { MessageReader, NO_ROOM } from './message-reader.js';
import { ANSWER_HEAD, sendFault } from './send-fault.js';

const WITH_TRAILERS = { waitForTrailers: true, sendDate: false } as const;
const OK_TRAILERS = { 'grpc-status': '0' } as const;
/** Longer ones fit into no timer; nobody waits so long. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Where a stream has its call, so that the listeners are the same functions for all streams. */
const CALL = Symbol('call');
interface CalledStream extends ServerHttp2Stream {
  [CALL]?: UnaryCall | undefined;
}

/** What a call needs beside its stream. */
export interface UnaryParts {
  readonly handle: UnaryHandler;
  readonly context: CallContext;
  readonly settings: CallSettings;
  /** `grpc-timeout`; undefined: the caller waits as long as it takes. */
  readonly timeoutMs: number | undefined;
  /** Bytes that may be held of requests that are not whole. */
  readonly budget: Budget;
  /** The request is whole, or has been given up. */
  readonly onRequestEnded: (call: UnaryCall) => void;
  /** It was answered with a message, which may not be read at once. */
  readonly onAnswered: (call: UnaryCall) => void;
  /** What it was answered with has been read. */
  readonly onRead: (call: UnaryCall) => void;
}

/**
 * One call of one message. It is decided when the request has ended, so that neither a second message nor a caller who went away in the midst of it is
 * charged. One listener of each kind on the stream, and no closure and no promise unless the handler makes one. Once it has been answered the stream lets go of
 * it: node's streams outlive their answer by a collection or two.
 */
export class UnaryCall implements ListedCall {
  readonly startedMs = performance.now();
  before: ListedCall | undefined;
  after: ListedCall | undefined;
  isListed = false;
  /** When it was answered. */
  answeredMs = Number.POSITIVE_INFINITY;
  private message: Buffer | undefined;
  private heldBytes = 0;
  private reader: MessageReader | undefined;
  private isAnswered = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly stream: CalledStream,
    private readonly parts: UnaryParts,
  ) {
    stream[CALL] = this;
    stream.on('data', onData);
    stream.on('end', onEnd);
    stream.on('aborted', onAborted);
    stream.on('wantTrailers', sendOkTrailers);
  }

  /** Answers without asking the handler, or although it has not answered. */
  fail(fault: GrpcFault): void {
    if (this.isAnswered) return;
    this.requestOver();
    this.settle(fault.code);
    sendFault(this.stream, fault);
  }

  /** What came of the request. */
  take(chunk: Buffer): void {
    if (this.isAnswered) return;
    const { settings, budget } = this.parts;
    const { maxMessageBytes } = settings;
    // Nearly always a request is one frame of DATA that holds one message.
    if (this.reader === undefined && this.message === undefined && isOneMessage(chunk, maxMessageBytes)) {
      if (!budget.take(chunk.length)) return this.fail(NO_ROOM);
      this.heldBytes = chunk.length;
      this.message = chunk.subarray(FRAME_BYTES);
      return;
    }
    this.reader ??= new MessageReader(maxMessageBytes, budget);
    const fault = this.reader.push(chunk, this.keep);
    if (fault !== undefined) this.fail(fault);
    // The rest of what came with a second message.
    else if (this.isAnswered) this.reader.end();
  }

  private readonly keep = (message: Buffer): void => {
    if (this.message === undefined) this.message = message;
    else this.fail({ code: GRPC_STATUS.unimplemented, message: 'more than one message in a call of one' });
  };

  /** The request is whole. */
  requestEnded(): void {
    if (this.isAnswered) return;
    const { message } = this;
    if (message === undefined) return this.fail({ code: GRPC_STATUS.internal, message: this.reader?.isInside === true ? 'the message is cut off' : 'no message' });
    this.requestOver();
    const leftMs = this.leftMs();
    if (leftMs <= 0) return this.fail(TOO_LATE);
    this.decide(message, leftMs);
  }

  /** Reset by the caller, or its connection is gone. What is reset may end as well, afterwards. */
  aborted(): void {
    if (this.isAnswered) return;
    this.requestOver();
    this.settle(GRPC_STATUS.cancelled);
  }

  /** Nothing of the request is held any more, but by whoever decides it. */
  private requestOver(): void {
    const { budget, onRequestEnded } = this.parts;
    onRequestEnded(this);
    if (this.heldBytes > 0) budget.give(this.heldBytes);
    this.heldBytes = 0;
    this.reader?.end();
  }

  /** The answer has left. */
  read(): void {
    this.stream[CALL] = undefined;
    this.parts.onRead(this);
  }

  /** Nobody reads the answer. */
  reset(): void {
    this.stream.close(constants.NGHTTP2_CANCEL);
  }

  /** Whether nobody will read the answer any more. */
  get isGone(): boolean {
    return this.stream.destroyed;
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
    this.parts.onAnswered(this);
  }

  private threw(error: unknown): void {
    this.parts.settings.onError(error, this.parts.context.path);
    this.fail({ code: GRPC_STATUS.internal, message: 'internal error' });
  }

  /** From here on nothing is sent but what whoever calls this sends. */
  private settle(code: number): void {
    if (this.isAnswered) return;
    this.isAnswered = true;
    this.answeredMs = performance.now();
    if (code !== GRPC_STATUS.ok) this.stream[CALL] = undefined;
    if (this.timer !== undefined) clearTimeout(this.timer);
    this.parts.settings.onCall({ method: this.parts.context.path, code, seconds: (this.answeredMs - this.startedMs) / 1_000 });
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

function onData(this: CalledStream, chunk: Buffer): void {
  this[CALL]?.take(chunk);
}

function onEnd(this: CalledStream): void {
  this[CALL]?.requestEnded();
}

function onAborted(this: CalledStream): void {
  this[CALL]?.aborted();
}

function sendOkTrailers(this: CalledStream): void {
  this.sendTrailers(OK_TRAILERS);
  this[CALL]?.read();
}
