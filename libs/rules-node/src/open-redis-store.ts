import { type CounterStore, redisStore } from '@sluice/limiter';
import type { Logger } from '@sluice/platform';

/** How long a start waits for Redis. */
const READY_MS = 2_000;
/** The same trouble is said again after this time; a client that reconnects meets it several times a second. */
const REPEAT_MS = 10_000;

/**
 * Counters in Redis. Waits for the connection a moment, since the first requests would be decided without it; a Redis that is down
 * holds nothing up.
 */
export async function openRedisStore(urls: readonly string[], logger: Logger): Promise<CounterStore> {
  let last = { message: '', atMs: 0 };
  const store = redisStore({
    url: urls.join(','),
    onError({ message }) {
      const atMs = Date.now();
      if (message === last.message && atMs - last.atMs < REPEAT_MS) return;
      last = { message, atMs };
      logger.warn({ reason: message }, 'no connection to the counter store');
    },
  });
  await store.ready(READY_MS).catch((error: unknown) => logger.warn({ err: error }, 'counters start without Redis'));
  return store;
}
