/** What can stand in a {@link Lane}. */
export interface InLine<T> {
  next: T | undefined;
}

/**
 * How many questions of a kind may be under way, and those that wait, first come, first served. One more with each answer, half as many with each failure
 * (AIMD): a source that is asked too much answers too late, so that all is asked in vain.
 */
export class Lane<T extends InLine<T>> {
  underWay = 0;
  private waiting = 0;
  private room: number;
  private first: T | undefined;
  private last: T | undefined;

  constructor(
    private readonly mostUnderWay: number,
    roomAtFirst: number,
  ) {
    this.room = Math.min(roomAtFirst, mostUnderWay);
  }

  get hasRoom(): boolean {
    return this.underWay < this.room;
  }

  get isEmpty(): boolean {
    return this.first === undefined;
  }

  /** Under way or waiting. */
  get size(): number {
    return this.underWay + this.waiting;
  }

  push(item: T): T {
    if (this.last === undefined) this.first = item;
    else this.last.next = item;
    this.last = item;
    this.waiting += 1;
    return item;
  }

  shift(): T | undefined {
    const item = this.first;
    if (item === undefined) return undefined;
    this.first = item.next;
    if (this.first === undefined) this.last = undefined;
    this.waiting -= 1;
    return item;
  }

  answered(): void {
    this.room = Math.min(this.mostUnderWay, this.room + 1);
  }

  failed(): void {
    this.room = Math.max(1, Math.floor(this.room / 2));
  }
}
