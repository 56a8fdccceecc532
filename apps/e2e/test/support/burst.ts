import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, ask } from './ask.js';

/** A burst at once, and what came of it. */
export interface Burst {
  readonly allowed: readonly Answer[];
  readonly refused: readonly Answer[];
}

/**
 * Sends `count` requests at once, early in a second of the clock: a window of a second begins there, and a burst that ran over its
 * end would be two bursts, of which more may pass.
 */
export async function burst(url: string, count: number, headers: Readonly<Record<string, string>>): Promise<Burst> {
  await earlyInASecond();
  const answers = await Promise.all(Array.from({ length: count }, () => ask(url, { headers })));
  const allowed = answers.filter(({ status }) => status === 200);
  const refused = answers.filter(({ status }) => status === 429);
  if (allowed.length + refused.length < count) throw new Error(`neither 200 nor 429: ${answers.map(({ status, text }) => `${status} ${text}`).join('\n')}`);
  return { allowed, refused };
}

async function earlyInASecond(): Promise<void> {
  const into = Date.now() % 1000;
  if (into > 300) await sleep(1001 - into);
}
