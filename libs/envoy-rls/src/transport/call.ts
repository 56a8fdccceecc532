import type { IncomingHttpHeaders } from 'node:http2';
import type { Socket } from 'node:net';
import type { GrpcFault } from './grpc-fault.js';

/** What is known of a call before its message. */
export interface CallContext {
  /** `/package.Service/Method`. */
  readonly path: string;
  /** Metadata: header fields, names in lower case. */
  readonly headers: IncomingHttpHeaders;
  /** The connection that it came over; of a TLS connection the TLS socket. */
  readonly socket: Socket;
}

/**
 * Answers a call of one message with one message, whose first `FRAME_BYTES` are the transport's to fill in, or with a fault. What can be answered at once
 * should be: without a promise there is nothing between request and answer. The message may be kept.
 */
export type UnaryHandler = (message: Buffer, context: CallContext) => Buffer | GrpcFault | Promise<Buffer | GrpcFault>;

/** A call that answers more than once, from the handler's side. */
export interface StreamingCall {
  readonly context: CallContext;
  /** Sends a message, whose first `FRAME_BYTES` are the transport's to fill in. Nothing happens once the call has ended. */
  send(message: Buffer): void;
  /** Ends the call: with OK, or with a fault. */
  end(fault?: GrpcFault): void;
}

/** What the handler does with what comes. */
export interface StreamingHandler {
  message(message: Buffer): void;
  /** The caller sends no more. */
  halfClosed(): void;
  /** The call has ended, whoever ended it. Called once. */
  closed(): void;
}

/** A method that is served. Open ones ask nobody who he is. */
export type Method = ({ readonly kind: 'unary'; readonly handle: UnaryHandler } | { readonly kind: 'streaming'; readonly open: (call: StreamingCall) => StreamingHandler }) & {
  readonly isOpen?: boolean;
};

/** Methods by path. */
export type Methods = ReadonlyMap<string, Method>;
