import type { Snapshot } from '@sluice/rules';
import type { AnswerHeaders } from './answer-headers.js';

/** Rules in force, and under which names the control plane has them. */
export interface Held {
  readonly snapshot: Snapshot;
  readonly etag: string | undefined;
  readonly epoch: string | undefined;
  /** It comes from the copy on disk, and the control plane has not said anything about it. */
  readonly restored: boolean;
}

/** Whether an answer with this body is what is held already, though it came as 200 (known failures 54, 77). */
export function isSame({ etag, epoch, snapshot }: Held, offered: AnswerHeaders, body: unknown): boolean {
  return epoch === offered.epoch && offered.etag !== undefined && sameTag(offered.etag, etag) && versionOf(body) === snapshot.version;
}

/** Whether a version is of the past: a lagging replica or a cache must not take rules back. In another life of the database versions mean something else. */
export function isOlder(version: number, { epoch }: AnswerHeaders, held: Held): boolean {
  return epoch === held.epoch && version < held.snapshot.version;
}

/** Weak comparison, which is what If-None-Match is about (RFC 9110, section 8.8.3.2). */
export function sameTag(a: string, b: string | undefined): boolean {
  return b !== undefined && a.replace(/^W\//, '') === b.replace(/^W\//, '');
}

function versionOf(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'version' in body ? body.version : undefined;
}
