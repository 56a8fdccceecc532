import { LogCursor } from './log-cursor.js';
import type { OpenLog } from './records/open-log.js';
import type { Line } from './records/record.js';

/** Reads several logs side by side, always on from the one whose time is behind, whatever spans they have and however they overlap. */
export class LogMerge {
  private open: readonly LogCursor[] = [];
  private readonly all: readonly LogCursor[];

  constructor(logs: readonly OpenLog[]) {
    this.all = logs.map((log) => new LogCursor(log));
  }

  /** What all logs that are still read have come to: of each, nothing older is due but what it has out of order. */
  get reachedMs(): number {
    return this.open.reduce((least, { newestMs }) => Math.min(least, newestMs), Infinity);
  }

  /**
   * @param take gets each line, and notes in the cursor what it holds
   * @param pause after some thousand lines, and after the last
   * @param ended of a log that was read to its end
   */
  async each(take: (line: Line, cursor: LogCursor) => void, pause: () => void, ended: (cursor: LogCursor) => void): Promise<void> {
    this.open = this.all;
    try {
      for (let [behind] = this.open; behind !== undefined; behind = this.behind()) {
        if (this.readOn(behind, take) || (await behind.more())) {
          pause();
          continue;
        }
        const over = behind;
        this.open = this.open.filter((cursor) => cursor !== over);
        ended(over);
        pause();
      }
    } finally {
      await Promise.all(this.all.map((cursor) => cursor.close()));
    }
  }

  /** Until another one is behind, or what was read of it is used up. @returns whether some of it is left */
  private readOn(cursor: LogCursor, take: (line: Line, cursor: LogCursor) => void): boolean {
    const untilMs = this.open.reduce((least, other) => (other === cursor ? least : Math.min(least, other.newestMs)), Infinity);
    for (let line = cursor.next(); line !== undefined; line = cursor.next()) {
      take(line, cursor);
      if (cursor.newestMs > untilMs) return true;
    }
    return false;
  }

  private behind(): LogCursor | undefined {
    let [behind] = this.open;
    for (const cursor of this.open) if (behind !== undefined && cursor.newestMs < behind.newestMs) behind = cursor;
    return behind;
  }
}
