import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * One read at a time, shared: whoever asks gets the answer of the next read that begins after he asked, never of one that is under way already.
 * So whatever was committed before the question is in the answer (R54), and any number of callers cost one read a round trip.
 */
export class SharedReads<T> {
  private next: Promise<T> | undefined;
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly ask: () => Promise<T>) {}

  read(): Promise<T> {
    if (this.next === undefined) {
      const read = this.begin();
      this.next = read;
      this.last = read.catch(() => undefined);
    }
    return this.next;
  }

  private async begin(): Promise<T> {
    await this.last;
    // All questions that came in with this turn of the event loop share the read.
    await nextTurn();
    this.next = undefined;
    return this.ask();
  }
}
