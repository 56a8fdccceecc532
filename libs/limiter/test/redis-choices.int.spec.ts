import { startRedis, type RedisServer } from '@sluice/testkit';
import { NO_RESEND } from '@sluice/lua-scripts';
import { quota } from '@sluice/algorithms';
import { Redis } from 'ioredis';
import { redisStore, StoreFault } from '../src/index.js';

const ask = { key: 's{c}x', quota: quota({ algorithm: 'fixed_window', limit: 5, windowMs: 60_000 }), need: 1, want: 1, backAmount: 0, backBucket: 0 };

describe('R90 a store that is configured badly says so', () => {
  let redis: RedisServer;
  let admin: Redis;
  beforeAll(async () => {
    redis = await startRedis();
    admin = new Redis(redis.url);
  }, 30_000);
  afterAll(async () => {
    admin.disconnect();
    await redis.stop();
  });

  it('counts in the database that the URL names', async () => {
    const store = redisStore({ url: `${redis.url}/5` });
    await store.ready(2_000);
    expect(await store.take([ask])).toMatchObject([{ granted: 1 }]);
    expect(await admin.info('keyspace')).toContain('db5');
    await store.close();
  });

  it('and in no other where the server does not have it', async () => {
    await admin.flushall();
    const store = redisStore({ url: `${redis.url}/99` });
    await expect(store.ready(2_000)).rejects.toThrow(/database 99 cannot be selected: ERR DB index is out of range/);
    for (const endMs = Date.now() + 300; Date.now() < endMs; ) expect(await store.take([ask])).toEqual([expect.any(StoreFault)]);
    // The one who comes later hears it as well.
    await expect(store.ready(2_000)).rejects.toThrow(/database 99/);
    expect(await admin.dbsize()).toBe(0);
    await store.close();
  });

  it.each(['/abc', '/-1', '/1.5', '/1/2'])('takes no database %s', (path) => {
    expect(() => redisStore({ url: `${redis.url}${path}` })).toThrow(RangeError);
  });

  it('takes no database for a cluster', () => {
    expect(() => redisStore({ url: `${redis.url}/0,${redis.url}/0` })).toThrow(/cluster/);
  });

  it.each([{ keyPrefix: 'x:' }, { stringNumbers: true }, { commandTimeout: 1_000 }, { autoResendUnfulfilledCommands: true }])('takes no client with %j', (option) => {
    const client = new Redis(redis.url, { ...NO_RESEND, lazyConnect: true, ...option });
    expect(() => redisStore({ client })).toThrow(Object.keys(option)[0]);
    client.disconnect();
  });

  it('takes none of them by the query of a URL', () => {
    expect(() => redisStore({ url: `${redis.url}?keyPrefix=x:` })).toThrow(/keyPrefix/);
  });
});
