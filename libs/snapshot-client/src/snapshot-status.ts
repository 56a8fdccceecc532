/** How the rules on this node stand; for readiness and metrics. */
export interface SnapshotStatus {
  /** Version in force; `undefined` before the first. */
  readonly version: number | undefined;
  /** Ms since the control plane last confirmed the version in force; `undefined` before the first. */
  readonly ageMs: number | undefined;
  /** The last answer was what the control plane remembers while its database is away: rules are taken from it, but nothing is confirmed by it. */
  readonly stale: boolean;
  /** Why the last poll brought nothing, `undefined` when it went well. */
  readonly lastError: string | undefined;
  /** Why the last snapshot that was offered is not in force, `undefined` when it is. */
  readonly refusal: string | undefined;
  /** Snapshots refused since the start. */
  readonly refused: number;
  /** Whether the control plane refuses the token (401, 403). */
  readonly unauthorized: boolean;
  /** The rules in force come from the copy on disk; the control plane has not been reached since the start (R43). */
  readonly restored: boolean;
  /** What is wrong with the copy on disk, `undefined` when nothing is known to be. */
  readonly copyFault: string | undefined;
  /** Requests made, and how many of them brought the whole, changes, changes of no use, or nothing new. */
  readonly polls: SnapshotPolls;
}

export interface SnapshotPolls {
  readonly requests: number;
  readonly whole: number;
  readonly delta: number;
  /** Changes that do not lead to what the control plane has, by their checksum or else: the whole was asked for instead. */
  readonly unfit: number;
  readonly unchanged: number;
  readonly failed: number;
}
