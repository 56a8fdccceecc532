import { Conversation } from './conversation.js';

/**
 * Asks over so many connections, again as soon as each is answered. The loader never sleeps: to wake it is part of the write of whoever
 * answers, and on a virtual machine takes longer than the answer, so that the slower of two servers would pay for it and the faster would not.
 *
 * @returns answers a second
 */
export async function saturate(port: number, requests: readonly Buffer[], { connections, seconds }: { readonly connections: number; readonly seconds: number }): Promise<number> {
  let failure: Error | undefined;
  const fail = (error: Error): void => void (failure ??= error);
  const open = await Promise.all(Array.from({ length: connections }, () => Conversation.open(port, fail)));
  const startMs = performance.now();
  const endMs = startMs + seconds * 1_000;
  let answers = 0;
  let isOver = false;
  const stayAwake = (): void => void (isOver || setImmediate(stayAwake));
  stayAwake();
  await Promise.all(
    open.map(
      (conversation) =>
        new Promise<void>((resolve) => {
          const next = (): void => {
            const request = requests[answers % requests.length];
            if (request === undefined || failure !== undefined || performance.now() >= endMs) resolve();
            else conversation.ask(request, answered);
          };
          const answered = (): void => {
            answers += 1;
            next();
          };
          next();
          // A server that fails answers no more.
          setTimeout(resolve, seconds * 1_000 + 1_000).unref();
        }),
    ),
  );
  isOver = true;
  const elapsedMs = performance.now() - startMs;
  for (const conversation of open) conversation.close();
  if (failure !== undefined) throw failure;
  return (answers * 1_000) / elapsedMs;
}
