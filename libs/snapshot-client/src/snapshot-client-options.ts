import type { RuleIndex, Snapshot } from '@sluice/rules';

/** What is wrong with the copy on disk: it could not be written, or not be used, or there is none although one was needed. */
export interface CopyFault {
  readonly kind: 'write' | 'read' | 'missing';
  /** A sentence with the file's name. */
  readonly reason: string;
}

/** A version that a poll has brought into force. */
export interface AppliedSnapshot {
  readonly version: number;
  /** What was in force before by a poll; `undefined` for the first that the control plane gave since the start. */
  readonly previousVersion: number | undefined;
  /** Time from the commit of this version to now, ms; `undefined` when the control plane does not say. */
  readonly publishedAgeMs: number | undefined;
}

/** What a client needs, and by what it tells. If one of `onApplied`, `onRefused`, `onError`, `onCopyFault` throws, the process gets a warning and polls go on. */
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
  /** A snapshot is checked and built in slices of about this time, ms, between which the event loop takes a turn. Default 2. */
  readonly sliceMs?: number;
  /** File that keeps the last good snapshot, so that a start does not need the control plane (R43). Absent: none. */
  readonly copyFile?: string | undefined;
  /** Takes new rules into force, by one assignment (R56). If it throws, the snapshot counts as refused and the old one stays. */
  readonly onSnapshot: (index: RuleIndex, snapshot: Snapshot) => void;
  /** Told after that, once for each version that a poll has brought. */
  readonly onApplied?: (applied: AppliedSnapshot) => void;
  /** Alarm: a snapshot was offered and is not in force. */
  readonly onRefused?: (reason: string) => void;
  /** A poll brought nothing: network, server, or a token that is refused. */
  readonly onError?: (reason: string) => void;
  /** The copy on disk is not what it should be; the rules in force, if there are any, are not touched by that. */
  readonly onCopyFault?: (fault: CopyFault) => void;
  readonly fetch?: typeof fetch;
  /** From 0 to below 1. */
  readonly random?: () => number;
}
