import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { withRedis } from './redis-connection.js';
import { startRedis } from './redis-server.js';
import { startRedisReplicaPair } from './redis-replica-pair.js';

const ping = (port: number): Promise<string> => withRedis(port, (redis) => redis.ping());

describe('R90 a private Redis', () => {
  it('writes nothing to disk unless asked to', async () => {
    const redis = await startRedis();
    const settings = await withRedis(redis.port, async (client) => [await client.config('GET', 'save'), await client.config('GET', 'appendonly')]);
    expect(settings).toEqual([['save', ''], ['appendonly', 'no']]);
    await redis.stop();
  });

  it('dies by kill -9 and comes back on its port, empty', async () => {
    const redis = await startRedis();
    const { pid } = redis;
    await withRedis(redis.port, (client) => client.set('k', '1'));
    await redis.kill();
    await expect(ping(redis.port)).rejects.toThrow();
    await redis.restart();
    expect(redis.pid).not.toBe(pid);
    expect(await withRedis(redis.port, (client) => client.get('k'))).toBeNull();
    await redis.stop();
  });

  it('keeps its data through kill -9 and restart when told to persist', async () => {
    const redis = await startRedis({ config: ['--appendonly', 'yes', '--appendfsync', 'always'] });
    await withRedis(redis.port, (client) => client.set('k', '1'));
    await redis.kill();
    await redis.restart();
    expect(await withRedis(redis.port, (client) => client.get('k'))).toBe('1');
    await redis.restart();
    expect(await withRedis(redis.port, (client) => client.get('k'))).toBe('1');
    await redis.stop();
  });

  it('answers nothing while paused and everything afterwards', async () => {
    const redis = await startRedis();
    await withRedis(redis.port, async (client) => {
      redis.pause();
      let answered = false;
      const reply = client.ping().then(() => {
        answered = true;
      });
      await sleep(100);
      expect(answered).toBe(false);
      redis.resume();
      await reply;
      expect(answered).toBe(true);
    });
    await redis.stop();
  });

  it('stops while paused, and its folder goes with it', async () => {
    const redis = await startRedis();
    const dir = await withRedis(redis.port, async (client) => ((await client.config('GET', 'dir')) as string[])[1] ?? '');
    expect(existsSync(dir)).toBe(true);
    redis.pause();
    await redis.stop();
    expect(existsSync(dir)).toBe(false);
    await expect(ping(redis.port)).rejects.toThrow();
  });

  it('says what the server said when it does not start', async () => {
    await expect(startRedis({ config: ['--no-such-setting', '1'] })).rejects.toThrow(/ended before it was ready[\s\S]*no-such-setting/);
  });
});

describe('R90 a replica pair', () => {
  it('replicates writes', async () => {
    const { primary, replica, stop } = await startRedisReplicaPair();
    await withRedis(primary.port, async (client) => {
      await client.set('k', '1');
      expect(await client.wait(1, 2_000)).toBe(1);
    });
    expect(await withRedis(replica.port, (client) => client.get('k'))).toBe('1');
    await stop();
  });
});
