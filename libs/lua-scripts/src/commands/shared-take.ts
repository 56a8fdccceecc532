import type { Outcome } from '@sluice/algorithms';
import type { LuaScript } from '../lua-script.js';
import type { ScriptCommand } from '../script-command.js';
import { decodeOutcome } from './decode-outcome.js';

/** A take or a peek as nearly all are: of its text only the counter's name is its own, and all else is in one array, which never changes and many share. */
export class SharedTake implements ScriptCommand<Outcome> {
  constructor(
    readonly script: LuaScript,
    readonly key: string,
    /** The field in the group; undefined for a log, which is a key of its own. */
    readonly field: string | undefined,
    readonly shared: readonly string[],
  ) {}

  get keys(): readonly string[] {
    return [this.key];
  }

  get args(): readonly string[] {
    return this.field === undefined ? this.shared : [this.field, ...this.shared];
  }

  decode(reply: unknown): Outcome {
    return decodeOutcome(reply);
  }
}
