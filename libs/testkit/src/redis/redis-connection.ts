import { Redis } from 'ioredis';

/** Connects once, without retries; rejects when nobody answers. The caller disconnects. */
export async function redisConnection(port: number): Promise<Redis> {
  const redis = new Redis({
    host: '127.0.0.1',
    port,
    lazyConnect: true,
    connectTimeout: 1_000,
    enableReadyCheck: false,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
  });
  redis.on('error', () => undefined); // Each call rejects with the same error.
  await redis.connect();
  return redis;
}

/** Runs one piece of work on its own connection. */
export async function withRedis<T>(port: number, work: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = await redisConnection(port);
  try {
    return await work(redis);
  } finally {
    redis.disconnect();
  }
}
