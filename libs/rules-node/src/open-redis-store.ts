import { type RedisStore, redisStore } from '@sluice/limiter';
import type { Logger } from '@sluice/platform';
import { BreakerLog } from './breaker-log.js';

/** How long a start waits for Redis. */
const READY_MS = 2_000;
/** The same trouble is said again after this time; a client that reconnects meets it several times a second. */
const REPEAT_MS = 10_000;

/**
 * Counters in Redis. Waits for the connection a moment, since the first requests would be decided without it; a Redis that is down
 * holds nothing up. The log says when a server is given up and when it is back.
 */
export async function openRedisStore(urls: readonly string[], logger: Logger): Promise<RedisStore> {
  let last = { message: '', atMs: 0 };
  const breakers = new BreakerLog(logger);
  const store = redisStore({
    url: urls.join(','),
    onBreaker: (event) => breakers.take(event),
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
