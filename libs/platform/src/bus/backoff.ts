import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits before attempt `attempt` (from 1): 250 ms, doubling to 4 s, times a random 0.5 to 1, so that a fleet does not come back in one
 * instant. Ends early, without error, when the signal aborts.
 */
export async function backoff(attempt: number, signal: AbortSignal): Promise<void> {
  const ceilingMs = Math.min(4_000, 250 * 2 ** Math.min(attempt - 1, 4));
  await sleep(ceilingMs * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => undefined);
}
