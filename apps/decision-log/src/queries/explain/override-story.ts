import type { LogEntry } from '../../control-plane/log-entry.js';
import type { OverrideStory, OverrideText } from './facts.js';

/** Which override, as which node had it. */
export interface OverrideAsked {
  readonly overrideId: string;
  /** The version of the rules that the node decided by. */
  readonly snapshotVersion: number;
  readonly nowMs: number;
}

/** The story of an override. @param changes of it, the newest first */
export function overrideStory({ overrideId, snapshotVersion, nowMs }: OverrideAsked, changes: readonly LogEntry[]): OverrideStory {
  const then = textOf(changes.find(({ version, after }) => version <= snapshotVersion && after !== null));
  const [newest] = changes;
  const last = textOf(changes.find(({ after }) => after !== null));
  if (newest === undefined || last === undefined) return { overrideId, then, state: 'unknown', last, endedAtMs: undefined };
  const removedAtMs = newest.after === null ? newest.atMs : undefined;
  // Those that have expired are put away an hour later; that ends nothing.
  const endedAtMs = Math.min(last.expiresAtMs, removedAtMs ?? Infinity);
  if (endedAtMs <= nowMs) return { overrideId, then, state: endedAtMs === last.expiresAtMs ? 'expired' : 'removed', last, endedAtMs };
  const isSame = then !== undefined && then.limit === last.limit && then.burst === last.burst && then.expiresAtMs === last.expiresAtMs;
  return { overrideId, then, state: isSame || then === undefined ? 'live' : 'changed', last, endedAtMs: undefined };
}

function textOf(entry: LogEntry | undefined): OverrideText | undefined {
  if (entry === undefined || entry.after === null) return undefined;
  const { limit, burst, expires_at: expiresAt, reason } = entry.after;
  const expiresAtMs = Date.parse(String(expiresAt));
  if (typeof limit !== 'number' || Number.isNaN(expiresAtMs)) return undefined;
  return { limit, burst: typeof burst === 'number' ? burst : undefined, expiresAtMs, reason: typeof reason === 'string' ? reason : undefined };
}
