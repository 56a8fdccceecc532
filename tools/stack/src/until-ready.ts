import { StartError } from '@sluice/platform';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AppProcess } from './app-process.js';

const POLL_MS = 50;
const TIMEOUT_MS = 60_000;

/**
 * Resolves when the app says at `baseUrl` that it is ready.
 *
 * @throws StartError when it ends instead, is not ready in a minute, or the start is given up
 */
export async function untilReady({ name, ended }: AppProcess, baseUrl: string, giveUp: AbortSignal): Promise<void> {
  let how: string | undefined;
  void ended.then((ending) => (how = ending.how));
  let last = 'no answer';
  for (const deadline = Date.now() + TIMEOUT_MS; Date.now() < deadline; ) {
    if (giveUp.aborted) throw new StartError('stopped before it had started');
    if (how !== undefined) throw new StartError(`${name} ended ${how} before it was ready`);
    try {
      const answer = await fetch(`${baseUrl}/readyz`, { signal: AbortSignal.timeout(5_000) });
      last = await answer.text();
      if (answer.ok) return;
    } catch {
      // It does not listen yet.
    }
    await sleep(POLL_MS);
  }
  throw new StartError(`${name} was not ready after ${TIMEOUT_MS / 1000} s: ${last}`);
}
