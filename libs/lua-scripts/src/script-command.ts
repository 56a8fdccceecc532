import type { LuaScript } from './lua-script.js';

/** One call of a script: what is sent, and how its reply is read. Building one sends nothing. To be read, not spread: some make their lists only when they are asked for them. */
export interface ScriptCommand<T> {
  readonly script: LuaScript;
  /** All in one slot when the store is a cluster. */
  readonly keys: readonly string[];
  readonly args: readonly string[];
  /** Throws a {@link ScriptReplyError} for anything but a reply of this script. */
  decode(reply: unknown): T;
  /**
   * The call to send instead when the script found that it could not answer this one and wrote nothing: a calendar of which the
   * caller's clock sent the wrong part. Asked once.
   */
  readonly again?: (reply: unknown) => ScriptCommand<T> | undefined;
}

/** A reply that no version of the script gives: a fault, never a denial (R45). */
export class ScriptReplyError extends Error {
  override readonly name = 'ScriptReplyError';

  constructor(readonly reply: unknown) {
    super(`not a reply of the script: ${JSON.stringify(reply)}`);
  }
}
