import { claim } from '../generated/claim.js';
import { reserve } from '../generated/reserve.js';
import { ScriptReplyError, type ScriptCommand } from '../script-command.js';
import { requireInteger } from './require-integer.js';

/** How long a claimant may ask again for what it was handed, ms: its reply may have been lost. */
const KEEP_MS = 10_000;

/**
 * Keeps a record under `key` ({@link reservationKey}) for `ttlMs`, at least 1 (R14). Sending one twice does no harm.
 */
export function reserveCommand(key: string, record: string, ttlMs: number): ScriptCommand<undefined> {
  requireInteger('ttlMs', ttlMs, 1);
  return { script: reserve, keys: [key], args: [record, String(ttlMs)], decode: decodeReserved };
}

/**
 * Resolves to the record for one claimant only: whoever else comes gets undefined, and so does everybody when there is none (R14). The
 * same claimant gets it again for ten seconds, so that a lost reply loses nothing. Throws a RangeError for a claimant of other characters
 * than those of base64url, or none.
 */
export function claimCommand(key: string, claimant: string, keepMs: number = KEEP_MS): ScriptCommand<string | undefined> {
  if (!/^[\w-]+$/.test(claimant)) throw new RangeError(`a claimant is letters, digits, - and _, not ${JSON.stringify(claimant)}`);
  requireInteger('keepMs', keepMs, 1);
  return { script: claim, keys: [key], args: [claimant, String(keepMs)], decode: decodeRecord };
}

function decodeReserved(reply: unknown): undefined {
  if (reply !== 1) throw new ScriptReplyError(reply);
}

function decodeRecord(reply: unknown): string | undefined {
  if (reply === null) return undefined;
  if (typeof reply !== 'string') throw new ScriptReplyError(reply);
  return reply;
}
