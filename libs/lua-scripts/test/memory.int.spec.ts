import { quota, type QuotaInput } from '@sluice/algorithms';
import { counterKey, counterPlace, type ScriptClient } from '@sluice/lua-scripts';
import { TestCounter } from './support/counter.js';
import { STORES } from './support/redis.js';

const T0 = 1_764_000_123_456;
const MAX = Number.MAX_SAFE_INTEGER;

describe.each(STORES.slice(0, 1))('R13 what a counter costs in $name', ({ connect }) => {
  let client: ScriptClient;
  let rule = 0;
  beforeAll(async () => {
    client = await connect();
  });
  afterAll(() => client.disconnect());

  async function stored(input: QuotaInput): Promise<{ encoding: unknown; text: string }> {
    rule += 1;
    const key = counterKey(`${process.pid} ${Date.now()} ${rule}`, ['k1234567']);
    const c = new TestCounter(client, key, quota(input), T0);
    await c.take(c.quota.burst);
    if (c.quota.algorithm === 'sliding_counter') {
      // The most digits: this window and the last one full.
      c.nowMs = T0 + c.quota.windowMs + c.quota.windowMs / 2;
      await c.take(1, c.quota.burst);
    }
    return { encoding: await client.object('ENCODING', c.redisKey), text: (await client.hget(c.redisKey, counterPlace(key).field)) ?? '' };
  }

  it.each([
    [{ limit: 9_999, windowMs: 1_000 }],
    [{ limit: 99_999, windowMs: 60_000 }],
    [{ limit: 999_999, windowMs: 3_600_000 }],
    [{ algorithm: 'fixed_window', limit: 999_999, windowMs: 60_000 }],
  ] as const)('%j: an integer of 64 bits, 10 bytes in a listpack', async (input) => {
    const { encoding, text } = await stored(input);
    expect(encoding).toBe('listpack');
    expect(text).toMatch(/^[1-9]\d{12,18}$/);
    expect(BigInt(text)).toBeLessThan(2n ** 63n);
  });

  it.each([
    [{ limit: 5e6, windowMs: 60_000 }, 28],
    [{ limit: 1e9, windowMs: 86_400_000 }, 28],
    [{ limit: 500, windowMs: 60_000, subBuckets: 6 }, 28],
    [{ algorithm: 'fixed_window', limit: 1e9, windowMs: 86_400_000 }, 20],
    [{ algorithm: 'token_bucket', limit: 100, windowMs: 60_000 }, 28],
    [{ algorithm: 'token_bucket', limit: 5e6, windowMs: 60_000 }, 28],
    [{ algorithm: 'gcra', limit: 100, windowMs: 60_000 }, 28],
  ] as const)('%j: else a text of at most %d characters', async (input, most) => {
    const { encoding, text } = await stored(input);
    expect(encoding).toBe('listpack');
    expect(text.length).toBeLessThanOrEqual(most);
  });

  it.each([
    [{ limit: MAX, windowMs: 366 * 86_400_000 }],
    [{ limit: 500, windowMs: 60_000, subBuckets: 10 }],
    [{ algorithm: 'fixed_window', limit: MAX, windowMs: 366 * 86_400_000 }],
    [{ algorithm: 'token_bucket', limit: MAX, windowMs: 366 * 86_400_000 }],
    [{ algorithm: 'leaky_bucket', limit: 1, burst: 2 ** 40, windowMs: 366 * 86_400_000 }],
    [{ algorithm: 'gcra', limit: MAX, windowMs: 366 * 86_400_000 }],
  ] as const)('%j: and never what would make a hash table of the group', async (input) => {
    expect((await stored(input)).encoding).toBe('listpack');
  });
});
