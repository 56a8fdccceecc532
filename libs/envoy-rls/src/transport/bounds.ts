/** What callers may hold of a server, all of them together. */
export interface Bounds {
  /** Bytes of requests that are not whole, over one connection. Default 32 MiB: eight of the longest messages at once, or hundreds of usual ones. */
  readonly connectionBytes: number;
  /** The same of all connections. Default 128 MiB. */
  readonly processBytes: number;
  /** Connections over which nobody has called yet who may; beyond it the oldest of them ends. Default 1,024. */
  readonly strangerConnections: number;
  /** Streaming calls of those, which are health watches, in all. Default 1,024. */
  readonly strangerStreams: number;
}

export const DEFAULT_BOUNDS: Bounds = { connectionBytes: 33_554_432, processBytes: 134_217_728, strangerConnections: 1_024, strangerStreams: 1_024 };
