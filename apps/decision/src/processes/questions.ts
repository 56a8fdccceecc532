import type { ProcessMessage, Subject } from './messages.js';

/** Questions to another process that wait for their answers. */
export class Questions {
  private readonly open = new Map<number, (text: string | undefined) => void>();
  private lastId = 0;

  /** @param timeoutMs whoever has not answered by then does not */
  constructor(private readonly timeoutMs: number) {}

  /** Resolves to the answer; undefined when it does not come. */
  ask(send: (message: ProcessMessage) => void, subject: Subject): Promise<string | undefined> {
    this.lastId += 1;
    const id = this.lastId;
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.settle(id, undefined), this.timeoutMs);
      this.open.set(id, (text) => {
        clearTimeout(timer);
        resolve(text);
      });
      send({ sluice: 'question', id, subject });
    });
  }

  settle(id: number, text: string | undefined): void {
    this.open.get(id)?.(text);
    this.open.delete(id);
  }
}
