import { counterKey, runScripts, takeCommand, type ScriptClient } from '@sluice/lua-scripts';
import type { Subject } from './subjects.js';

const BATCH = 1_000;

export interface Filling {
  readonly count: number;
  readonly rules?: number;
  /** For keys that are used one after the other in simulated time; absent: by the clock of the store. */
  readonly startMs?: number;
  readonly spanMs?: number;
}

/** Ids of eight characters, as API keys often have them, in no order. */
function idOf(at: number): string {
  return `k${String((at * 7_919_777) % 10_000_000).padStart(7, '0')}`;
}

/** All permits of each counter, by the commands that nodes send. Counters belong to as many rules as said, in turn. */
export async function fillCounters(client: ScriptClient, { quota, identity }: Subject, { count, rules = 1, startMs, spanMs = 0 }: Filling): Promise<void> {
  const identities = Array.from({ length: rules }, (_, i) => identity.replace(/^[^~]*/, `rule-${i}`));
  for (let from = 0; from < count; from += BATCH) {
    const commands = Array.from({ length: Math.min(BATCH, count - from) }, (_, i) => {
      const nowMs = startMs === undefined ? undefined : startMs + Math.floor(((from + i) / count) * spanMs);
      const own = identities[(from + i) % rules] ?? '';
      return takeCommand(counterKey(own, [idOf(from + i)]), quota, quota.limit, quota.limit, { nowMs });
    });
    const results = await runScripts(client, commands);
    const failed = results.find(({ status }) => status === 'rejected');
    if (failed !== undefined) throw new Error('a take failed', { cause: failed });
  }
}

/** What the textbook keeps for a sliding window: a count for this window and one for the last. */
export async function fillStrings(client: ScriptClient, count: number, windowMs: number): Promise<void> {
  const window = Math.floor(Date.now() / windowMs);
  for (let from = 0; from < count; from += BATCH) {
    const pipeline = client.pipeline();
    for (let at = from; at < Math.min(count, from + BATCH); at += 1) {
      for (const each of [window - 1, window]) pipeline.set(`rl:{${idOf(at)}}:${each}`, 1, 'PX', 2 * windowMs);
    }
    await pipeline.exec();
  }
}
