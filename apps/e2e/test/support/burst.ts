import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, ask } from './ask.js';

/** A burst at once, and what came of it. */
export interface Burst {
  readonly allowed: readonly Answer[];
  readonly refused: readonly Answer[];
}

/** What took longer on a busy machine may have run over the end of a window. */
const AT_ONCE_MS = 500;
const ATTEMPTS = 4;
/** Windows of a second, the one before weighed in, know nothing of what is so long ago. */
const FORGOTTEN_MS = 2_100;

/**
 * Sends `count` requests at once, early in a second of the clock: a window of a second begins there, and a burst that ran over its
 * end would be two bursts, of which more may pass. One that was not at once is sent again when it is forgotten.
 */
export async function burst(url: string, count: number, headers: Readonly<Record<string, string>>): Promise<Burst> {
  let answers: readonly Answer[] = [];
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    await earlyInASecond();
    const startedMs = performance.now();
    answers = await Promise.all(Array.from({ length: count }, () => ask(url, { headers })));
    if (performance.now() - startedMs <= AT_ONCE_MS) break;
    if (attempt < ATTEMPTS) await sleep(FORGOTTEN_MS);
  }
  const allowed = answers.filter(({ status }) => status === 200);
  const refused = answers.filter(({ status }) => status === 429);
  if (allowed.length + refused.length < count) throw new Error(`neither 200 nor 429: ${answers.map(({ status, text }) => `${status} ${text}`).join('\n')}`);
  return { allowed, refused };
}

async function earlyInASecond(): Promise<void> {
  const into = Date.now() % 1000;
  if (into > 300) await sleep(1001 - into);
}
