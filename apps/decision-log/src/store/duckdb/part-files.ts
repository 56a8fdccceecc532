import { unlink } from 'node:fs/promises';

/**
 * Removes files of parts only when no query can still read them: a query that began before a part was taken off the list may have its name yet.
 */
export class PartFiles {
  readonly #onFault: (path: string, error: unknown) => void;
  readonly #readers = new Set<symbol>();
  readonly #doomed: { readonly paths: readonly string[]; readonly waitingFor: Set<symbol> }[] = [];

  constructor(onFault: (path: string, error: unknown) => void) {
    this.#onFault = onFault;
  }

  /** To be called before the list of parts is read. @returns to be called when the query is over */
  hold(): () => Promise<void> {
    const reader = Symbol('reader');
    this.#readers.add(reader);
    return async () => {
      this.#readers.delete(reader);
      for (const { waitingFor } of this.#doomed) waitingFor.delete(reader);
      await this.#sweep();
    };
  }

  /** To be called after the parts were taken off the list. */
  async remove(paths: readonly string[]): Promise<void> {
    this.#doomed.push({ paths, waitingFor: new Set(this.#readers) });
    await this.#sweep();
  }

  async #sweep(): Promise<void> {
    const free = this.#doomed.filter(({ waitingFor }) => waitingFor.size === 0);
    for (const one of free) this.#doomed.splice(this.#doomed.indexOf(one), 1);
    for (const path of free.flatMap(({ paths }) => paths)) await unlink(path).catch((error: unknown) => this.#onFault(path, error));
  }
}
