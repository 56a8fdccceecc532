/** How the decision service is asked. */
export interface RemoteDeciderOptions {
  /** `http://host:port`, `https://…`, or `unix:/path/to/socket`. */
  readonly url: string;
  /** Bearer token; absent sends none (loopback, Unix socket, networks that the service trusts). */
  readonly token?: string | undefined;
  /** Longest wait for an answer, ms; default 50. */
  readonly timeoutMs?: number | undefined;
  /** What a request gets while the service does not answer: it passes, or 503. There is no default: somebody has to have thought of it. */
  readonly onFailure: 'allow' | 'deny';
  /** Attribute `domain` where a request names none; default `default`. */
  readonly domain?: string | undefined;
  /** Most questions under way, each on a connection of its own; one more gets what `onFailure` says. Default 256. */
  readonly maxUnderWay?: number | undefined;
  /** Failures in a row after which nobody waits any more, but for a probe each `probeMs`; default 5. */
  readonly failuresToOpen?: number | undefined;
  /** Default 500. */
  readonly probeMs?: number | undefined;
  /** Hears why a question was not answered. At most once for each, so keep it cheap. Default: the first one to `process.emitWarning`. */
  readonly onFault?: ((reason: string) => void) | undefined;
}

/** Counts since the start. */
export interface RemoteStats {
  readonly asked: number;
  /** Not answered: late, refused, no connection, or not to be understood. */
  readonly failed: number;
  /** Decided by `onFailure`. */
  readonly fallback: number;
  /** Whether the service has answered anything yet that could be understood. */
  readonly answered: boolean;
  /** Whether questions are held back now, since too many failed. */
  readonly open: boolean;
}
