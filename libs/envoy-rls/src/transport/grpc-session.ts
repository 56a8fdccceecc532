import { type IncomingHttpHeaders, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import type { CallContext, Method, Methods } from './call.js';
import type { CallSettings } from './call-settings.js';
import { checkHead } from './check-head.js';
import { boundControlFrames } from './control-frames.js';
import { GRPC_STATUS, type GrpcFault } from './grpc-fault.js';
import { parseGrpcTimeout } from './grpc-timeout.js';
import { sendFault, sendHttpStatus } from './send-fault.js';
import { ServedStream } from './served-stream.js';
import { UnaryCall } from './unary-call.js';

/** What somebody may send whom nobody asked who he is. */
const MOST_OPEN_BYTES = 4_096;
/** Calls of many messages on one connection at a time: watching health and looking at descriptors take one or two. */
const MOST_STREAMING = 16;
export interface SessionParts {
  readonly session: ServerHttp2Session;
  readonly socket: Socket;
  readonly methods: Methods;
  readonly settings: CallSettings;
}

/** One connection and its calls. */
export class GrpcSession {
  /** In the order in which they came: those whose request is not whole. */
  private readonly incomplete = new Set<UnaryCall>();
  private readonly streaming = new Set<ServedStream>();
  private isDraining = false;
  private readonly openSettings: CallSettings;

  constructor(private readonly parts: SessionParts) {
    const { settings } = parts;
    this.openSettings = { ...settings, maxMessageBytes: Math.min(settings.maxMessageBytes, MOST_OPEN_BYTES) };
    boundControlFrames(parts.session);
    parts.session.on('stream', (stream, headers) => this.begin(stream, headers));
  }

  /** Ends calls whose request has been coming for too long. */
  endSlow(maxRequestMs: number): void {
    const beganBeforeMs = performance.now() - maxRequestMs;
    for (const call of this.incomplete) {
      if (call.startedMs > beganBeforeMs) return;
      call.fail({ code: GRPC_STATUS.deadlineExceeded, message: 'the message did not come in time' });
    }
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
    for (const call of this.streaming) call.end({ code: GRPC_STATUS.unavailable, message: 'the server is stopping' });
    this.parts.session.close();
  }

  /** Cuts what is still under way. */
  cut(): void {
    this.parts.session.destroy();
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
    const timeout = headers['grpc-timeout'];
    const timeoutMs = timeout === undefined ? undefined : parseGrpcTimeout(String(timeout));
    if (timeout !== undefined && timeoutMs === undefined) return this.refuse(stream, path, { code: GRPC_STATUS.internal, message: 'a grpc-timeout that is none' });
    this.serve(stream, method, context, timeoutMs);
  }

  private serve(stream: ServerHttp2Stream, method: Method, context: CallContext, timeoutMs: number | undefined): void {
    const settings = method.isOpen === true ? this.openSettings : this.parts.settings;
    if (method.kind === 'unary') {
      this.incomplete.add(new UnaryCall(stream, { handle: method.handle, context, settings, timeoutMs, onRequestEnded: this.forget }));
    } else if (this.isDraining) {
      this.refuse(stream, context.path, { code: GRPC_STATUS.unavailable, message: 'the server is stopping' });
    } else if (this.streaming.size === MOST_STREAMING) {
      this.refuse(stream, context.path, { code: GRPC_STATUS.resourceExhausted, message: `more than ${MOST_STREAMING} streaming calls on one connection` });
    } else {
      this.streaming.add(new ServedStream(stream, { open: method.open, context, settings, onClosed: (call) => this.streaming.delete(call) }));
    }
  }

  private readonly forget = (call: UnaryCall): void => {
    this.incomplete.delete(call);
  };

  private refuse(stream: ServerHttp2Stream, method: string, fault: GrpcFault, fields: readonly string[] = []): void {
    this.parts.settings.onCall({ method, code: fault.code, seconds: 0 });
    sendFault(stream, fault, fields);
  }
}

const OTHER = 'other';

function ignore(): void {}
