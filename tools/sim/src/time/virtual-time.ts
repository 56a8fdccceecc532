import { Agenda } from './agenda.js';

/** The time of the simulated world, in ms with fractions from 0 on; it moves only when something is due. */
export class VirtualTime {
  nowMs = 0;
  private readonly agenda = new Agenda();

  after(delayMs: number, task: () => void): void {
    this.agenda.add(this.nowMs + delayMs, task);
  }

  /**
   * Lets everything happen that is due up to `untilMs`. After each task the microtasks run out before the next one starts: the engine
   * flushes a tick's questions and wakes waiters by them, and in the world outside a network's answer takes far longer than they do.
   */
  async run(untilMs: number): Promise<void> {
    while (this.agenda.nextAtMs <= untilMs) {
      this.nowMs = this.agenda.nextAtMs;
      this.agenda.take()?.();
      await microtasks();
    }
    this.nowMs = untilMs;
  }
}

/** Resolves when no microtask is left. */
export function microtasks(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
