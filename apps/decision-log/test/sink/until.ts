import { setTimeout as sleep } from 'node:timers/promises';

/** Waits for something to come to pass. */
export async function until(met: () => boolean | Promise<boolean>, timeoutMs = 30_000, everyMs = 25): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await met())) {
    if (performance.now() > deadline) throw new Error('It did not come to pass in time.');
    await sleep(everyMs);
  }
}
