/** What the client tells its owner by; all of it is told after the fact. */
export type Told = 'onApplied' | 'onRefused' | 'onError' | 'onCopyFault';

/**
 * Calls what an owner wants to be told by. If that throws or rejects, it is the owner's fault and not a reason to stop polling: the process says so by
 * a warning, the first time for each name.
 */
export class Teller {
  private readonly warned = new Set<Told>();

  tell<T>(name: Told, callback: ((what: T) => unknown) | undefined, what: T): void {
    try {
      const told = callback?.(what);
      if (told instanceof Promise) told.catch((error: unknown) => this.warn(name, error));
    } catch (error) {
      this.warn(name, error);
    }
  }

  private warn(name: Told, error: unknown): void {
    if (this.warned.has(name)) return;
    this.warned.add(name);
    process.emitWarning(`${name} of the snapshot client threw: ${error instanceof Error ? error.message : String(error)}`);
  }
}
