import { type CounterStore, memoryStore, redisStore, type RedisStore } from '@sluice/limiter';
import type { Lab } from './lab.js';
import { NoStoreError } from './no-store-error.js';

const TIMEOUT_MS = 5_000;

/**
 * Counters in memory, or in the Redis of that URL (a comma list is a cluster).
 *
 * @throws NoStoreError when the URL is none, or no Redis answers there
 */
export async function openStore(redisUrl: string | undefined, clock: Lab['clock']): Promise<CounterStore> {
  if (redisUrl === undefined) return memoryStore(clock);
  let last = '';
  const store = made(redisUrl, clock, ({ message }) => (last = message));
  try {
    await store.ready(TIMEOUT_MS);
    return store;
  } catch (error) {
    await store.close();
    const why = error instanceof Error ? error.message : String(error);
    throw new NoStoreError(`SLUICE_REDIS_URL: ${why}${last === '' ? '' : ` (${last})`}`);
  }
}

function made(url: string, { nowMs }: Lab['clock'], onError: (error: Error) => void): RedisStore {
  try {
    return redisStore({ url, timeoutMs: TIMEOUT_MS, nowMs, onError });
  } catch (error) {
    if (error instanceof RangeError) throw new NoStoreError(`SLUICE_REDIS_URL: ${error.message}`);
    throw error;
  }
}
