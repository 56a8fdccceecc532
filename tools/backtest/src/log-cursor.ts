import type { OpenLog } from './records/open-log.js';
import type { Line } from './records/record.js';

/** How far one of several logs is read. */
export class LogCursor {
  /** Of its requests so far. */
  newestMs = -Infinity;
  lines = 0;
  requests = 0;
  private waiting: readonly Line[] = [];
  private at = 0;

  constructor(readonly log: OpenLog) {}

  /** The next line of those that were read; undefined: {@link more} has to be asked for. */
  next(): Line | undefined {
    const line = this.waiting[this.at];
    if (line === undefined) return undefined;
    this.at += 1;
    this.lines += 1;
    return line;
  }

  /** Reads on. @returns false at the end */
  async more(): Promise<boolean> {
    for (;;) {
      const { done, value } = await this.log.lines.next();
      if (done === true) return false;
      this.waiting = value;
      this.at = 0;
      if (value.length > 0) return true;
    }
  }

  async close(): Promise<void> {
    await this.log.lines.return(undefined);
  }
}
