import { setTimeout as sleep } from 'node:timers/promises';

/** Asks again and again until it is so; what throws is not so yet. @throws Error after `timeoutMs` */
export async function until(isSo: () => Promise<boolean>, timeoutMs = 20_000): Promise<void> {
  let last: unknown = 'it is not so';
  for (const deadline = Date.now() + timeoutMs; Date.now() < deadline; await sleep(30)) {
    try {
      if (await isSo()) return;
    } catch (error) {
      last = error;
    }
  }
  throw new Error(`not within ${timeoutMs} ms: ${String(isSo)}`, { cause: last });
}
