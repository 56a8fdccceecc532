/** A pause that can be cut short. A ring that comes before the pause ends it at once, so that none is lost. */
export class Alarm {
  private rung = false;
  private end: () => void = () => undefined;

  ring(): void {
    this.rung = true;
    this.end();
  }

  /** Resolves after `ms`, or with the first ring since the last wait. */
  async wait(ms: number): Promise<void> {
    if (!this.rung) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.end = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.rung = false;
  }
}
