import { type IncomingHttpHeaders, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import type { Budget } from './budget.js';
import type { CallContext, Method, Methods } from './call.js';
import type { CallSettings } from './call-settings.js';
import { checkHead } from './check-head.js';
import { boundControlFrames } from './control-frames.js';
import { GRPC_STATUS, type GrpcFault } from './grpc-fault.js';
import { parseGrpcTimeout } from './grpc-timeout.js';
import { CallList } from './call-list.js';
import { sendFault, sendHttpStatus } from './send-fault.js';
import { ServedStream } from './served-stream.js';
import { UnaryCall } from './unary-call.js';

/** What somebody may send whom nobody asked who he is. */
const MOST_OPEN_BYTES = 4_096;
/** Calls of many messages on one connection at a time: watching health and looking at descriptors take one or two. */
const MOST_STREAMING = 16;
/** While the server stops: how long a request may take to be whole, and an answer to be read. */
const STOP_GRACE_MS = 1_000;
/** Answers that were not read yet; beyond it those are forgotten whose stream has gone. */
const MOST_UNREAD = 4_096;

export interface SessionParts {
  readonly session: ServerHttp2Session;
  readonly socket: Socket;
  readonly methods: Methods;
  readonly settings: CallSettings;
  /** Bytes of requests that are not whole, over this connection. */
  readonly bytes: Budget;
  /** Streaming calls of strangers, over all connections. */
  readonly strangerStreams: Budget;
  /** Somebody has called who may. Called once. */
  readonly onKnown: (session: GrpcSession) => void;
}

/** One connection and its calls. */
export class GrpcSession {
  /** In the order in which they came: those whose request is not whole. */
  private readonly incomplete = new CallList<UnaryCall>();
  private readonly unread = new CallList<UnaryCall>();
  private unreadToLookAt = MOST_UNREAD;
  private readonly streaming = new Set<ServedStream>();
  private isDraining = false;
  private isOver = false;
  private isKnown = false;
  /** When a stranger has last begun a call. */
  private strangerMs = performance.now();
  private readonly openSettings: CallSettings;

  constructor(private readonly parts: SessionParts) {
    const { settings } = parts;
    this.openSettings = { ...settings, maxMessageBytes: Math.min(settings.maxMessageBytes, MOST_OPEN_BYTES) };
    boundControlFrames(parts.session);
    parts.session.on('stream', (stream, headers) => this.begin(stream, headers));
  }

  /** Ends calls whose request has been coming for too long, those whose answer nobody reads, and a connection that strangers have kept for nothing. */
  endSlow(mostRequestMs: number, idleMs: number): void {
    const maxRequestMs = this.isDraining ? Math.min(STOP_GRACE_MS, mostRequestMs) : mostRequestMs;
    const nowMs = performance.now();
    if (this.parts.session.destroyed) return this.endSocket();
    if (!this.isKnown && nowMs - this.strangerMs > idleMs) this.drain();
    this.unread.each((call) => {
      if (call.isGone) this.unread.delete(call);
      else if (nowMs - call.answeredMs > maxRequestMs) call.reset();
    });
    for (const call of this.streaming) call.endUnread(maxRequestMs);
    const beganBeforeMs = nowMs - maxRequestMs;
    for (let call = this.incomplete.oldestBefore(beganBeforeMs); call !== undefined; call = this.incomplete.oldestBefore(beganBeforeMs)) {
      this.incomplete.delete(call);
      call.fail(this.isDraining ? STOPPING : { code: GRPC_STATUS.deadlineExceeded, message: 'the message did not come in time' });
    }
  }

  /** The session has ended its side, and node waits for the peer to end his; who has had a second for it has had enough. */
  private endSocket(): void {
    if (this.isOver) this.parts.socket.destroy();
    this.isOver = true;
  }

  /** Nobody has said anything for long. Who watches something says nothing, and may stay. */
  endIdle(): void {
    if (this.streaming.size === 0) this.drain();
  }

  /**
   * Takes no new calls, and answers those that are under way (R44). GOAWAY names the last one that was taken, so that a caller knows of each later one that
   * nothing was done, and that it may be sent elsewhere. A notice ahead of it, with which later ones would still be taken, node:http2 does not have: having sent
   * any GOAWAY, it leaves new streams without an answer.
   */
  drain(): void {
    if (this.isDraining || this.parts.session.destroyed) return;
    this.isDraining = true;
    for (const call of this.streaming) call.end(STOPPING);
    this.parts.session.close();
  }

  /** Cuts what is still under way. */
  cut(): void {
    this.parts.session.destroy();
    this.parts.socket.destroy();
  }

  private begin(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
    // A reset by the peer is no error of ours, and would be thrown if nobody listened.
    stream.on('error', ignore);
    if (stream.destroyed || stream.closed) return;
    const wrong = checkHead(headers);
    if (wrong !== undefined) {
      if (wrong.kind === 'http') return sendHttpStatus(stream, wrong.status, wrong.fields);
      return this.refuse(stream, OTHER, wrong.fault, wrong.fields);
    }
    const path = headers[':path'] ?? '';
    const method = this.parts.methods.get(path);
    if (method === undefined) return this.refuse(stream, OTHER, { code: GRPC_STATUS.unimplemented, message: 'no such method here' });
    const context: CallContext = { path, headers, socket: this.parts.socket };
    if (method.isOpen !== true && !this.parts.settings.mayCall(context)) return this.refuse(stream, path, { code: GRPC_STATUS.unauthenticated, message: 'this connection and its metadata say of nobody who may ask' });
    if (!this.isKnown) this.met(method);
    const timeout = headers['grpc-timeout'];
    const timeoutMs = timeout === undefined ? undefined : parseGrpcTimeout(String(timeout));
    if (timeout !== undefined && timeoutMs === undefined) return this.refuse(stream, path, { code: GRPC_STATUS.internal, message: 'a grpc-timeout that is none' });
    this.serve(stream, method, context, timeoutMs);
  }

  private serve(stream: ServerHttp2Stream, method: Method, context: CallContext, timeoutMs: number | undefined): void {
    const settings = method.isOpen === true ? this.openSettings : this.parts.settings;
    if (method.kind === 'unary') {
      this.incomplete.add(new UnaryCall(stream, { handle: method.handle, context, settings, timeoutMs, budget: this.parts.bytes, onRequestEnded: this.forget, onAnswered: this.answered, onRead: this.read }));
    } else if (this.isDraining) {
      this.refuse(stream, context.path, STOPPING);
    } else if (this.streaming.size === MOST_STREAMING) {
      this.refuse(stream, context.path, { code: GRPC_STATUS.resourceExhausted, message: `more than ${MOST_STREAMING} streaming calls on one connection` });
    } else if (!this.isKnown && !this.parts.strangerStreams.take(1)) {
      this.refuse(stream, context.path, { code: GRPC_STATUS.resourceExhausted, message: 'too many streaming calls of callers who have not shown who they are' });
    } else {
      const isStranger = !this.isKnown;
      const onClosed = (call: ServedStream): void => {
        this.streaming.delete(call);
        if (isStranger) this.parts.strangerStreams.give(1);
      };
      this.streaming.add(new ServedStream(stream, { open: method.open, context, settings, budget: this.parts.bytes, onClosed }));
    }
  }

  /** Whoever was let in to a method that is not open is no stranger. */
  private met(method: Method): void {
    if (method.isOpen === true) {
      this.strangerMs = performance.now();
      return;
    }
    this.isKnown = true;
    this.parts.onKnown(this);
  }

  private readonly answered = (call: UnaryCall): void => {
    this.unread.add(call);
    if (this.unread.size < this.unreadToLookAt) return;
    this.unread.each((each) => {
      if (each.isGone) this.unread.delete(each);
    });
    this.unreadToLookAt = Math.max(MOST_UNREAD, 2 * this.unread.size);
  };

  private readonly read = (call: UnaryCall): void => {
    this.unread.delete(call);
  };

  private readonly forget = (call: UnaryCall): void => {
    this.incomplete.delete(call);
  };

  private refuse(stream: ServerHttp2Stream, method: string, fault: GrpcFault, fields: readonly string[] = []): void {
    this.parts.settings.onCall({ method, code: fault.code, seconds: 0 });
    sendFault(stream, fault, fields);
  }
}

const OTHER = 'other';
const STOPPING: GrpcFault = { code: GRPC_STATUS.unavailable, message: 'the server is stopping' };

function ignore(): void {}
