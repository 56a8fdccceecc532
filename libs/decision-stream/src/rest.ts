/** A pause that can be cut short. Its timer does not keep the process alive. */
export class Rest {
  private over = false;
  private wake: (() => void) | undefined;

  /** Resolves after so many ms; after {@link end} in the next turn of the event loop, and that keeps the process alive. */
  async for(ms: number): Promise<void> {
    if (this.over) return new Promise((resolve) => setImmediate(resolve));
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.wake = resolve;
      timer = setTimeout(resolve, ms);
      timer.unref();
    });
    clearTimeout(timer);
    this.wake = undefined;
  }

  /** Ends the pause that is under way, and makes the next ones short. */
  end(): void {
    this.over = true;
    this.wake?.();
  }
}
