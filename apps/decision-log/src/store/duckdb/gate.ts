import { StoreUnavailable } from '../store-faults.js';

/** Lets so many in at once; the others wait in their order, a bounded number of them. */
export class Gate {
  readonly #room: number;
  readonly #maxWaiting: number;
  #inside = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(room: number, maxWaiting: number) {
    this.#room = room;
    this.#maxWaiting = maxWaiting;
  }

  /** @throws StoreUnavailable when too many wait already */
  async pass<T>(work: () => Promise<T>): Promise<T> {
    await this.#enter();
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#inside -= 1;
      else next();
    }
  }

  async #enter(): Promise<void> {
    if (this.#inside < this.#room) {
      this.#inside += 1;
      return;
    }
    if (this.#waiting.length >= this.#maxWaiting) throw new StoreUnavailable('too many queries wait for the embedded store');
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}
