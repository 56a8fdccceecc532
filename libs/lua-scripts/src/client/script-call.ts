import { keySlot } from '../keys/key-slot.js';
import type { ScriptCommand } from '../script-command.js';
import { encodeCall, NOTHING } from './encode-call.js';
import type { ScriptClient } from './script-client.js';

/** Who waits for a call: hears of its end, once. Neither function may throw, since ioredis calls them while it reads replies. */
export interface CallEnd<T> {
  /** Nobody waits any more: what was not sent by then never is (known failure 25). */
  readonly abandoned: boolean;
  resolved(value: T): void;
  rejected(reason: unknown): void;
}

/** What becomes of a call when its reply is there. */
export interface CallFate {
  replied(call: ScriptCall, reply: unknown): void;
  failed(call: ScriptCall, error: Error): void;
}

/** By SHA-1; by source where that is not known; and after a redirection, when the client finds the node by itself. */
export interface CallWay {
  readonly bySource: boolean;
  readonly redirected: boolean;
}

const NO_PROMISE: Promise<void> = Promise.resolve();

/**
 * One call on its way through ioredis, which takes it for a command: the same surface, without a promise, closures and a copy of the
 * arguments for each.
 */
export class ScriptCall {
  private ended = false;
  private slot = -1;

  constructor(
    readonly client: ScriptClient,
    readonly command: ScriptCommand<unknown>,
    readonly end: CallEnd<unknown>,
    readonly way: CallWay,
    private readonly fate: CallFate,
  ) {}

  get name(): 'evalsha' | 'eval' {
    return this.way.bySource ? 'eval' : 'evalsha';
  }

  get inTransaction(): boolean {
    return false;
  }

  /** Tracing would wait for the promise, which says nothing here. */
  get isTraced(): boolean {
    return true;
  }

  get promise(): Promise<void> {
    return NO_PROMISE;
  }

  /** For the error that ioredis makes of an error reply. */
  get args(): string[] {
    const { script, keys, args } = this.command;
    return [script.sha1, String(keys.length), ...keys, ...args];
  }

  toWritable(): string {
    return this.end.abandoned ? NOTHING : encodeCall(this.name, this.command);
  }

  getSlot(): number {
    if (this.slot < 0) this.slot = keySlot(this.command.keys[0] ?? '');
    return this.slot;
  }

  resolve(reply: unknown): void {
    if (this.ended) return;
    this.ended = true;
    this.fate.replied(this, reply);
  }

  reject(error: Error): void {
    if (this.ended) return;
    this.ended = true;
    this.fate.failed(this, error);
  }

  /** Called by a client that was made with `commandTimeout`. */
  setTimeout(timeoutMs: number): void {
    setTimeout(() => this.reject(new Error('Command timed out')), timeoutMs).unref();
  }
}
