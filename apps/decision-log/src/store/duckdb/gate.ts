import { StoreUnavailable } from '../store-faults.js';

/** What a gate is made with. */
export interface GateOptions {
  readonly room: number;
  readonly maxWaiting: number;
  readonly maxWaitMs: number;
}

/** Lets so many in at once; the others wait in their order, a bounded number of them for a bounded time. */
export class Gate {
  readonly #options: GateOptions;
  #inside = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(options: GateOptions) {
    this.#options = options;
  }

  /** @throws StoreUnavailable when too many wait already, or it waited too long */
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
    const { room, maxWaiting, maxWaitMs } = this.#options;
    if (this.#inside < room) {
      this.#inside += 1;
      return;
    }
    if (this.#waiting.length >= maxWaiting) throw busy();
    await new Promise<void>((resolve, reject) => {
      const enter = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1);
        reject(busy());
      }, maxWaitMs);
      this.#waiting.push(enter);
    });
  }
}

function busy(): StoreUnavailable {
  return new StoreUnavailable('too many queries wait for the embedded store');
}
