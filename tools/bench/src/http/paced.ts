import { openLoop, type Waits } from '../latency/open-loop.js';
import { Conversation } from './conversation.js';

/**
 * Requests that arrive at random, `perMs` of them on the average, whether or not those before are answered. Each takes a connection that is
 * free; where none is, it waits for one, and that is counted.
 */
export async function paced(port: number, requests: readonly Buffer[], { connections, count, perMs }: { readonly connections: number; readonly count: number; readonly perMs: number }): Promise<Waits> {
  let reject: (error: Error) => void = () => undefined;
  const failed = new Promise<never>((_resolve, fail) => (reject = fail));
  // It is raced below; until then nobody else hears of it.
  failed.catch(() => undefined);
  const open = await Promise.all(Array.from({ length: connections }, () => Conversation.open(port, (error) => reject(error))));
  const free = [...open];
  const waiting: (() => void)[] = [];
  const ask = (at: number): Promise<void> =>
    new Promise((resolve) => {
      const send = (): void => {
        const conversation = free.pop();
        const request = requests[at % requests.length];
        if (conversation === undefined || request === undefined) {
          waiting.push(send);
          return;
        }
        conversation.ask(request, () => {
          free.push(conversation);
          resolve();
          waiting.shift()?.();
        });
      };
      send();
    });
  try {
    return await Promise.race([openLoop(ask, count, perMs), failed]);
  } finally {
    for (const conversation of open) conversation.close();
  }
}
