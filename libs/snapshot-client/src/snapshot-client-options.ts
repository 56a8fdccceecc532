import type { RuleIndex, Snapshot } from '@sluice/rules';

export interface SnapshotClientOptions {
  /** Base of the control plane, such as `https://admin.internal:3000`. */
  readonly url: string;
  /** Bearer token; absent sends none. */
  readonly token?: string | undefined;
  /** Longest pause between two polls, ms. Default 30,000. */
  readonly pollMs?: number;
  /** Share of a pause that is random, so that a fleet spreads; a pause is only ever shortened. Default 0.2. */
  readonly jitter?: number;
  /** A push is answered within this random time, ms. Default 100. */
  readonly wakeSpreadMs?: number;
  /** Longest time for one request with its body, ms. Default 5,000. */
  readonly timeoutMs?: number;
  /** Largest body, bytes. Default 64 MiB. */
  readonly maxBytes?: number;
  /** File that keeps the last good snapshot, so that a start does not need the control plane (R43). Absent: none. */
  readonly copyFile?: string | undefined;
  /** Takes new rules into force, by one assignment (R56). If it throws, the snapshot counts as refused and the old one stays. */
  readonly onSnapshot: (index: RuleIndex, snapshot: Snapshot) => void;
  /** Alarm: a snapshot was offered and is not in force. */
  readonly onRefused?: (reason: string) => void;
  /** A poll brought nothing: network, server, or a token that is refused. Or the copy cannot be read or written. */
  readonly onError?: (reason: string) => void;
  readonly fetch?: typeof fetch;
  /** From 0 to below 1. */
  readonly random?: () => number;
}
