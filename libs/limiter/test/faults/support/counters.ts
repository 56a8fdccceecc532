import { Redis } from 'ioredis';
import { createLimiter, redisStore } from '../../../src/index.js';
import { rulesOf } from '../../support/fixture.js';
import { attributesOf, FAULT_RULES, STREAMS } from './streams.js';

/** Permits charged in the store, by stream and key: what its counters say themselves, read by a node that takes no part. */
export async function readCharged(url: string, keys: readonly string[]): Promise<readonly (readonly number[])[]> {
  const store = redisStore({ url, timeoutMs: 5_000 });
  await store.ready(10_000);
  const limiter = createLimiter({ store, rules: rulesOf(FAULT_RULES), fleetSize: 1 });
  try {
    return await Promise.all(
      STREAMS.map((stream) =>
        Promise.all(
          keys.map(async (key) => {
            const { policies } = await limiter.peek(attributesOf(stream, key));
            if (policies.some(({ reason }) => reason === 'store_unavailable')) throw new Error('the counters cannot be read');
            return policies.reduce((sum, { limit, remaining }) => sum + limit - remaining, 0);
          }),
        ),
      ),
    );
  } finally {
    await limiter.close();
    await store.close();
  }
}

/** Keys of one server, and of those the ones that would never go (R12). */
export async function readLifetimes(url: string): Promise<{ keys: number; immortal: string[]; longestMs: number }> {
  const redis = new Redis(url, { maxRetriesPerRequest: 1 });
  redis.on('error', () => undefined);
  try {
    // A replica of a cluster would send us to its primary.
    await redis.readonly().catch(() => undefined);
    const keys = await redis.keys('*');
    const ttls = await Promise.all(keys.map((key) => redis.pttl(key)));
    return { keys: keys.length, immortal: keys.filter((_key, at) => ttls[at] === -1), longestMs: Math.max(0, ...ttls) };
  } finally {
    redis.disconnect();
  }
}
