import type { CallContext } from './call.js';

/** What is seen of a call when it has been answered. */
export interface CallRecord {
  /** `/package.Service/Method`, or `other` for one that is not served: callers make up no names. */
  readonly method: string;
  /** One of `GRPC_STATUS`. */
  readonly code: number;
  /** From the head of the request to the answer. */
  readonly seconds: number;
}

/** What all calls of a server have in common. */
export interface CallSettings {
  readonly maxMessageBytes: number;
  /** Whether somebody may call what is not open to all. */
  readonly mayCall: (context: CallContext) => boolean;
  readonly onCall: (call: CallRecord) => void;
  /** A handler threw; its caller was told INTERNAL and nothing of it. */
  readonly onError: (error: unknown, path: string) => void;
}
