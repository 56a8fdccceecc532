/** A pause that can be cut short. It does not keep the process alive, before it is ended for good. */
export class Rest {
  private over = false;
  private wake: (() => void) | undefined;

  /** Resolves after so many ms; where there are none, or after {@link end}, in the next turn of the event loop. */
  async for(ms: number): Promise<void> {
    if (this.over) return new Promise((resolve) => setImmediate(resolve));
    if (ms <= 0) return new Promise((resolve) => setImmediate(resolve).unref());
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
