import { quota, type QuotaInput } from '@sluice/algorithms';
import { counterKey, type ScriptClient } from '@sluice/lua-scripts';
import { TestCounter } from './support/counter.js';
import { STORES } from './support/redis.js';

const T0 = 1_764_000_123_456;

describe.each(STORES.slice(0, 1))('R13 what a counter costs in $name', ({ connect }) => {
  let client: ScriptClient;
  let rule = 0;
  beforeAll(async () => {
    client = await connect();
  });
  afterAll(() => client.disconnect());

  async function stored(input: QuotaInput, permits: number): Promise<{ encoding: unknown; text: string; key: string }> {
    rule += 1;
    const key = counterKey(`${process.pid} ${Date.now()} ${rule}`, ['k1234567']);
    const c = new TestCounter(client, key, quota(input), T0);
    await c.take(permits);
    if (c.quota.algorithm === 'sliding_counter') {
      // The most digits: this window and the last one full.
      c.nowMs = T0 + c.quota.windowMs + c.quota.windowMs / 2;
      await c.take(1, permits);
    }
    return { encoding: await client.object('ENCODING', key), text: (await client.get(key)) ?? '', key };
  }

  it.each([
    [{ limit: 9_999, windowMs: 1_000 }],
    [{ limit: 99_999, windowMs: 60_000 }],
    [{ limit: 999_999, windowMs: 3_600_000 }],
    [{ algorithm: 'fixed_window', limit: 999_999, windowMs: 60_000 }],
    [{ algorithm: 'token_bucket', limit: 100, burst: 999, windowMs: 1_000 }],
  ] as const)('%j: an integer that Redis keeps in the object itself', async (input) => {
    const { encoding, key } = await stored(input, quota(input).burst);
    expect(encoding).toBe('int');
    expect(key.length).toBeLessThanOrEqual(22);
  });

  it.each([
    [{ limit: 5e6, windowMs: 60_000 }, 28],
    [{ limit: 1e9, windowMs: 86_400_000 }, 28],
    [{ limit: 500, windowMs: 60_000, subBuckets: 6 }, 28],
    [{ algorithm: 'fixed_window', limit: 1e9, windowMs: 86_400_000 }, 20],
    [{ algorithm: 'token_bucket', limit: 5e6, windowMs: 60_000 }, 28],
    [{ algorithm: 'gcra', limit: 100, windowMs: 60_000 }, 28],
  ] as const)('%j: else a short embedded string, of at most %d characters', async (input, most) => {
    const { encoding, text } = await stored(input, quota(input).burst);
    expect(encoding).toBe('embstr');
    expect(text.length).toBeLessThanOrEqual(most);
  });
});
