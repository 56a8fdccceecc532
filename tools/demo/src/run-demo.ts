import { randomBytes } from 'node:crypto';
import { FACTS } from './facts/index.js';
import type { Lab } from './lab.js';
import { openStore } from './open-store.js';

/** A clock that stands still until it is set. */
function settableClock(): Lab['clock'] {
  let now = 0;
  return { nowMs: () => now, set: (nowMs) => (now = nowMs) };
}

/**
 * Shows every fact and prints it line by line.
 * @param redisUrl counters in this Redis (a comma list is a cluster), by the scripts; else in memory, by the pure algorithms.
 * @throws NoStoreError when there is no Redis at that URL; nothing was printed then
 */
export async function runDemo(redisUrl: string | undefined, print: (line: string) => void): Promise<void> {
  const clock = settableClock();
  const store = await openStore(redisUrl, clock);
  const lab: Lab = { store, clock, run: randomBytes(6).toString('hex') };
  try {
    for (const [at, fact] of FACTS.entries()) {
      print(`${at + 1}. ${fact.title}`);
      for (const line of await fact.show(lab)) print(`   ${line}`);
    }
  } finally {
    await store.close();
  }
}
