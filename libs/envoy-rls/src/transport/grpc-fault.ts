/** Status codes of gRPC that a server answers with (`google.rpc.Code`). */
export const GRPC_STATUS = {
  ok: 0,
  cancelled: 1,
  unknown: 2,
  invalidArgument: 3,
  deadlineExceeded: 4,
  notFound: 5,
  permissionDenied: 7,
  resourceExhausted: 8,
  failedPrecondition: 9,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
  unauthenticated: 16,
} as const;

/** A call that is answered with a status other than OK, and no message. A value: it is thrown nowhere. */
export interface GrpcFault {
  /** One of {@link GRPC_STATUS}, never 0. */
  readonly code: number;
  /** For people; goes out as `grpc-message`. */
  readonly message: string;
}
