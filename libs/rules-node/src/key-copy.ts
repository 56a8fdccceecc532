import type { KeyDirectory } from '@sluice/middleware';
import type { CheckResult, Logger } from '@sluice/platform';
import { readKeyFile, writeKeyFile } from './key-file.js';

export interface KeyCopyOptions {
  readonly path: string;
  readonly keys: KeyDirectory;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Least time between two writes, ms. Default 2,000. */
  readonly pauseMs?: number;
}

/** That known keys were confirmed again is worth a write this often; it moves the end of their day, and nothing else. */
const CONFIRMATIONS_EVERY_MS = 300_000;
/** Writing takes at most one part in so many of the time, however many keys there are. */
const PAUSES_A_WRITE = 20;
/** After a write that failed. */
const RETRY_MS = 30_000;

/**
 * The keys that the control plane has confirmed, in a file beside the rules, so that a gateway which starts while the control plane is away
 * knows its callers (R43, ADR 0005). Written beside the requests, and never by them.
 */
export class KeyCopy {
  private readonly pauseMs: number;
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> | undefined;
  private written = { changes: 0, confirmations: 0, atMs: performance.now() };
  private failing = false;
  private closed = false;
  private fromDisk = 0;

  constructor(private readonly options: KeyCopyOptions) {
    this.pauseMs = options.pauseMs ?? 2_000;
  }

  /** Takes what the file has, each key for the day that it has left, then keeps the file up to date. Never rejects: a bad file costs one line in the log. */
  async start(): Promise<void> {
    const { path: file, keys, logger } = this.options;
    try {
      const found = await readKeyFile(file);
      this.fromDisk = found === undefined ? 0 : keys.restore(found);
      const expired = (found?.length ?? 0) - this.fromDisk;
      if (this.fromDisk > 0) logger.info({ file, keys: this.fromDisk, expired }, 'known keys read from disk');
      else if (expired > 0) logger.warn({ file, expired }, 'the copy of the known keys is too old; none is used');
    } catch (error) {
      logger.error({ file, reason: messageOf(error) }, 'the copy of the known keys is of no use; none is used');
    }
    this.schedule(this.pauseMs);
  }

  /**
   * Ready unless every caller would be answered 503.
   *
   * @param alone the rules come from disk, and the control plane does not answer
   */
  readiness(alone: boolean): CheckResult {
    const known = this.options.keys.countConfirmed();
    const detail = `${known} known, ${this.fromDisk} read from disk at the start`;
    if (!alone || known > 0) return { ok: true, detail };
    return { ok: false, detail: `${detail}; the control plane is away, so that no caller can be named` };
  }

  /** Writes what is not yet written. */
  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    await this.writing;
    await this.write(0);
  }

  private schedule(delayMs: number): void {
    if (this.closed) return;
    this.timer = setTimeout(() => {
      const startedMs = performance.now();
      this.writing = this.write(CONFIRMATIONS_EVERY_MS).then(() => {
        this.schedule(this.failing ? Math.max(RETRY_MS, this.pauseMs) : Math.max(this.pauseMs, (performance.now() - startedMs) * PAUSES_A_WRITE));
      });
    }, delayMs);
    this.timer.unref();
  }

  private async write(confirmationsEveryMs: number): Promise<void> {
    const { path: file, keys, logger } = this.options;
    const { changes, confirmations } = keys.stats;
    const nowMs = performance.now();
    const stale = confirmations !== this.written.confirmations && nowMs - this.written.atMs >= confirmationsEveryMs;
    if (changes === this.written.changes && !stale) return;
    try {
      await writeKeyFile(file, keys.confirmed());
      this.written = { changes, confirmations, atMs: nowMs };
      if (this.failing) logger.warn({ file }, 'the known keys are written to disk again');
      this.failing = false;
    } catch (error) {
      if (!this.failing) logger.error({ file, reason: messageOf(error) }, 'the known keys were not written to disk; a start without the control plane would not know those of now');
      this.failing = true;
    }
  }
}

function messageOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error);
}
